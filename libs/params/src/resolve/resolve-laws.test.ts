import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Layer } from './layer.ts'
import { partAt } from '../values/located.ts'
import { layerOf, randomKey, randomLayers, randomMap, wreck } from '../values/random-value-fixture.ts'
import { resolve } from './resolve.ts'
import { jsonText } from '../values/value-json.ts'
import { isValueMap } from '../values/value.ts'
import type { Value, ValueMap } from '../values/value.ts'

const modes = fc.constantFrom('replace' as const, 'deep' as const)

const treeOf = (layers: readonly Layer[], mode: 'replace' | 'deep'): ValueMap => {
  const { tree } = resolve(layers, mode)
  assert.ok(isValueMap(tree))
  return tree
}

test('one layer resolves to its own tree, and an empty one beside it changes nothing', () => {
  fc.assert(
    fc.property(randomMap, modes, (tree, mode) => {
      const layer = layerOf(1, tree, 'v.yaml')
      const empty = layerOf(1, new Map(), 'empty.yaml')
      for (const layers of [[layer], [layer, empty], [empty, layer]]) {
        assert.deepEqual(treeOf(layers, mode), tree)
      }
    }),
  )
})

test('a layer twice is the layer once', () => {
  fc.assert(
    fc.property(randomLayers, modes, (layers, mode) => {
      const doubled = layers.flatMap((layer) => [layer, layer])
      assert.deepEqual(treeOf(doubled, mode), treeOf(layers, mode))
    }),
  )
})

test('layers of a rank may be joined two by two in any way', () => {
  fc.assert(
    fc.property(randomMap, randomMap, randomMap, modes, (first, second, third, mode) => {
      const join = (...trees: ValueMap[]): ValueMap =>
        treeOf(
          trees.map((tree, number) => layerOf(2, tree, `${number}.yaml`)),
          mode,
        )
      const all = join(first, second, third)
      assert.deepEqual(join(join(first, second), third), all)
      // A list between two maps hides the first from the last, unless they are joined without it.
      if (mode === 'replace' || haveOneShape(second, third)) {
        assert.deepEqual(join(first, join(second, third)), all)
      }
    }),
  )
})

test('the order of layers of different ranks does not matter, inside a rank it does', () => {
  fc.assert(
    fc.property(randomLayers, modes, fc.integer({ min: 0, max: 3 }), (layers, mode, rotation) => {
      const byRank = [0, 1, 2, 3].map((rank) => layers.filter((layer) => layer.rank === rank))
      const rotated = [...byRank.slice(rotation), ...byRank.slice(0, rotation)].flat()
      assert.deepEqual(treeOf(rotated, mode), treeOf(layers, mode))
    }),
  )
  const [first, second] = ['first', 'second'].map((text) => layerOf(1, new Map([['k', text]]), text))
  assert.ok(first && second)
  assert.equal(treeOf([first, second], 'deep').get('k'), 'second')
  assert.equal(treeOf([second, first], 'deep').get('k'), 'first')
})

test('a top-level key comes whole from the strongest layer in mode replace', () => {
  fc.assert(
    fc.property(randomLayers, randomKey, (layers, key) => {
      const strongest = layers
        .toSorted((lower, upper) => lower.rank - upper.rank)
        .map((layer) => layer.tree.value)
        .findLast((tree) => isValueMap(tree) && tree.has(key))
      const expected = isValueMap(strongest) ? strongest.get(key) : undefined
      assert.deepEqual(treeOf(layers, 'replace').get(key), expected)
    }),
  )
})

test('every leaf is what its winner wrote, and the layers that it overrides are weaker', () => {
  fc.assert(
    fc.property(randomLayers, modes, (layers, mode) => {
      const resolution = resolve(layers, mode)
      const order = layers.toSorted((lower, upper) => lower.rank - upper.rank).map(({ tree }) => tree.at.file)
      for (const { path, value, why } of resolution.leaves()) {
        assert.deepEqual(why.winner.value, value)
        const winner = layers.find((layer) => layer.tree.at.file === why.winner.at.file)
        assert.deepEqual(winner && partAt(winner.tree, path)?.value, value)
        const strengths = [why.winner, ...why.overridden].map((source) => order.indexOf(source.at.file))
        assert.deepEqual(
          strengths,
          strengths.toSorted((one, other) => other - one),
        )
        assert.equal(partAt(resolution.located(), path)?.at.file, why.winner.at.file)
      }
    }),
  )
})

test('the leaves are the whole tree', () => {
  fc.assert(
    fc.property(randomLayers, (layers) => {
      const resolution = resolve(layers, 'deep')
      assert.equal([...resolution.leaves()].length, countLeaves(resolution.tree, true))
    }),
  )
})

test('the leaves of some owners are those of all that they decide', () => {
  fc.assert(
    fc.property(
      randomLayers,
      modes,
      fc.constantFrom('tool', 'operator', 'developer'),
      (layers, mode, owner) => {
        const resolution = resolve(layers, mode)
        const all = [...resolution.leaves()]
        assert.deepEqual(
          [...resolution.leaves((one) => one !== owner)],
          all.filter(({ why }) => why.winner.owner !== owner),
        )
      },
    ),
  )
})

test('a resolved tree shares nothing with its layers, nor with another one', () => {
  fc.assert(
    fc.property(randomLayers, modes, (layers, mode) => {
      const before = layers.map((layer) => jsonText(layer.tree.value))
      const expected = jsonText(resolve(layers, mode).tree)
      wreck(resolve(layers, mode).tree)
      assert.deepEqual(
        layers.map((layer) => jsonText(layer.tree.value)),
        before,
      )
      const { tree } = resolve(layers, mode)
      for (const layer of layers) wreck(layer.tree.value)
      assert.equal(jsonText(tree), expected)
    }),
  )
})

/** True if no key is a map in one tree and something else in the other. */
function haveOneShape(one: ValueMap, other: ValueMap): boolean {
  return Array.from(one).every(([key, member]) => {
    const counterpart = other.get(key)
    if (counterpart === undefined) return true
    if (!isValueMap(member) || !isValueMap(counterpart)) return isValueMap(member) === isValueMap(counterpart)
    return haveOneShape(member, counterpart)
  })
}

function countLeaves(value: Value, isRoot = false): number {
  if (!isValueMap(value) || (value.size === 0 && !isRoot)) return 1
  return Array.from(value.values(), (member) => countLeaves(member)).reduce((sum, count) => sum + count, 0)
}
