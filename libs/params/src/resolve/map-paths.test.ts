import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import * as fc from 'fast-check'
import { formatLocation } from '@wadi/errors/location.ts'
import { readLocatedYaml } from '../yaml/located-yaml.ts'
import { partAt } from '../values/located.ts'
import { mapPaths, mapResolution } from './map-paths.ts'
import type { PathMap } from './map-paths.ts'
import { parsePath } from '../values/path.ts'
import { layerOf, randomMap, wreck } from '../values/random-value-fixture.ts'
import { resolve } from './resolve.ts'
import { jsonText } from '../values/value-json.ts'
import { isValueMap } from '../values/value.ts'
import type { Value } from '../values/value.ts'

const map = (sourcePath: string, targetPath: string, ...excludePaths: string[]): PathMap => ({
  sourcePath: parsePath(sourcePath),
  targetPath: parsePath(targetPath),
  excludePaths: excludePaths.map(parsePath),
})

const read = (yaml: string): Value => readLocatedYaml(yaml, 'v.yaml').value

const mapped = (yaml: string, ...maps: PathMap[]): string => jsonText(mapPaths(read(yaml), maps))

test('a part of the source goes to its target, with the maps on the way', () => {
  assert.equal(mapped('app: {replicas: 2}', map('.app.replicas', '.web.count')), '{"web":{"count":2}}')
  assert.equal(mapped('app: {a: 1}\nother: 2', map('.app', '.')), '{"a":1}')
  assert.equal(mapped('a: null', map('.a', '.b')), '{"b":null}')
})

test('the root mapped to the root is the whole tree', () => {
  fc.assert(fc.property(randomMap, (tree) => assert.deepEqual(mapPaths(tree, [map('.', '.')]), tree)))
})

test('what is excluded is left out, and excluding a missing path is not an error', () => {
  const source = 'app: {a: {x: 1, y: 2}, b: 3}'
  assert.equal(
    mapped(source, map('.app', '.', '.app.a.x', '.app.nope', '.app.b.deeper')),
    '{"a":{"y":2},"b":3}',
  )
  assert.equal(mapped(source, map('.', '.', '.app.a')), '{"app":{"b":3}}')
})

test('an exclusion applies only to its own mapping', () => {
  assert.equal(
    mapped('app: {a: 1, b: 2}', map('.app', '.one', '.app.a'), map('.app', '.two')),
    '{"one":{"b":2},"two":{"a":1,"b":2}}',
  )
})

test('maps that meet at a target are merged, of anything else the later wins', () => {
  const source = 'a: {x: 1, l: [1]}\nb: {y: 2, l: [2]}\ns: 5'
  assert.equal(mapped(source, map('.a', '.m'), map('.b', '.m')), '{"m":{"x":1,"l":[2],"y":2}}')
  assert.equal(mapped(source, map('.a', '.m'), map('.s', '.m')), '{"m":5}')
  assert.equal(mapped(source, map('.s', '.m'), map('.a.x', '.m')), '{"m":1}')
})

test('errors say what Zarf says', () => {
  const source = 'app: {a: 5, l: [1]}'
  const cases: [PathMap[], string][] = [
    [[map('.app.nope', '.x')], 'unable to extract value source: key "nope" not found in path .app.nope'],
    [
      [map('.app.a.b', '.x')],
      'unable to extract value source: cannot traverse path .app.a.b: key "a" contains uint64, expected map',
    ],
    [
      [map('.app.l.0', '.x')],
      'unable to extract value source: cannot traverse path .app.l.0: key "l" contains []interface {}, expected map',
    ],
    [[map('.app.a', '.')], 'cannot merge non-map value at root path: it is uint64'],
    [[map('.app.a', '.t'), map('.app.a', '.t.below')], 'conflict at "t", expected map but got uint64'],
    [[map('.app', '.x', '.app')], 'unable to extract value source: key "app" not found in path .app'],
  ]
  for (const [maps, message] of cases) {
    assert.throws(() => mapPaths(read(source), maps), new InvalidInputError(message))
  }
})

test('two parts mapped to one target leave the source as it was', () => {
  const source = read('a: {m: {x: 1}}\nb: {m: {y: 2}}')
  const result = mapPaths(source, [map('.a', '.m1'), map('.b', '.m1'), map('.a', '.m2')])
  assert.equal(jsonText(result), '{"m1":{"m":{"x":1,"y":2}},"m2":{"m":{"x":1}}}')
  assert.equal(jsonText(source), '{"a":{"m":{"x":1}},"b":{"m":{"y":2}}}')
})

test('a mapped tree shares nothing with its source, nor its parts with each other', () => {
  fc.assert(
    fc.property(randomMap, (tree) => {
      const before = jsonText(tree)
      const result = mapPaths(tree, [map('.', '.one'), map('.', '.two')])
      assert.ok(isValueMap(result))
      wreck(result.get('one') ?? null)
      assert.deepEqual(result.get('two'), tree)
      wreck(result)
      assert.equal(jsonText(tree), before)
    }),
  )
})

test('mapping twice at once is mapping once and then once more', () => {
  fc.assert(
    fc.property(randomMap, (tree) => {
      const once = mapPaths(tree, [map('.', '.a.b')])
      assert.deepEqual(mapPaths(once, [map('.a.b', '.c')]), mapPaths(tree, [map('.', '.c')]))
      assert.deepEqual(mapPaths(tree, [map('.', '.c'), map('.', '.c')]), mapPaths(tree, [map('.', '.c')]))
    }),
  )
})

test('a mapped resolution has what decided each part, and which mapping brought it', () => {
  const first = readLocatedYaml('app: {a: 1, b: 1}\nextra: {a: 9}', 'base.yaml')
  const second = readLocatedYaml('app:\n  a: 2\n', 'prod.yaml')
  const resolution = resolve(
    [
      { rank: 0, owner: 'tool', kind: 'default', tree: first },
      { rank: 2, owner: 'developer', kind: 'value', tree: second },
    ],
    'deep',
  )
  const maps = [map('.app', '.web'), map('.extra', '.web')]
  const result = mapResolution(resolution, maps)
  assert.deepEqual(result.tree, mapPaths(resolution.tree, maps))
  const why = result.why(['web', 'a'])
  assert.ok(why)
  assert.deepEqual(
    [why.winner, ...why.overridden].map(({ at, value }) => [formatLocation(at), value]),
    [
      ['base.yaml:2:9', 9],
      ['prod.yaml:2:3', 2],
      ['base.yaml:1:7', 1],
    ],
  )
  assert.equal(result.why(['web', 'b'])?.winner.at.column, 13)
  assert.equal(result.why(['web', 'c']), undefined)
  assert.equal(jsonText(result.why(['web'])?.winner.value ?? null), '{"a":9}')
  assert.deepEqual(
    Array.from(result.leaves(), ({ path, value }) => [path.join('.'), value]),
    [
      ['web.a', 9],
      ['web.b', 1],
    ],
  )
})

test('a mapped tree as a layer keeps the way back to the source', () => {
  const values = { rank: 0 as const, owner: 'tool' as const, kind: 'default' as const }
  const source = resolve([{ ...values, tree: readLocatedYaml('app: {l: [{k: 1}]}', 'v.yaml') }], 'deep')
  const chart = { ...values, tree: readLocatedYaml('x: {l: []}', 'chart.yaml') }
  const layer = { ...values, tree: mapResolution(source, [map('.app', '.x')]).located() }
  assert.equal(jsonText(layer.tree.value), '{"x":{"l":[{"k":1}]}}')
  const why = resolve([chart, layer], 'deep').why(['x', 'l', '0', 'k'])
  assert.equal(why?.winner.derivedFrom?.step, '.app -> .x')
  assert.equal(formatLocation(why.winner.derivedFrom.why.winner.at), 'v.yaml:1:12')
  assert.equal(why.overridden[0]?.at.file, 'chart.yaml')
  assert.equal(partAt(layer.tree, ['x', 'l', '0', 'k'])?.at.file, 'v.yaml')
})

test('every leaf of a mapped resolution has a winner with its value', () => {
  fc.assert(
    fc.property(randomMap, randomMap, (first, second) => {
      const layers = [layerOf(0, first, 'first'), layerOf(1, second, 'second')]
      const maps = [map('.', '.one'), map('.', '.two.below'), map('.', '.one')]
      const result = mapResolution(resolve(layers, 'deep'), maps)
      for (const { value, why } of result.leaves()) assert.deepEqual(why.winner.value, value)
      assert.deepEqual(result.located().value, result.tree)
    }),
  )
})
