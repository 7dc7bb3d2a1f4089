import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { Layer } from './layer.ts'
import { readLocatedYaml } from '../yaml/located-yaml.ts'
import { partAt } from '../values/located.ts'
import type { Path } from '../values/path.ts'
import { resolve } from './resolve.ts'
import type { Resolution } from './resolve.ts'
import { jsonText } from '../values/value-json.ts'

const layer = (rank: Layer['rank'], file: string, yaml: string): Layer => ({
  rank,
  owner: rank === 0 ? 'tool' : rank === 2 ? 'developer' : 'operator',
  kind: rank < 2 ? 'default' : 'value',
  tree: readLocatedYaml(yaml, file),
})

/** `winner > overridden, overridden`, each as its place and value. */
function story(resolution: Resolution, path: Path): string | undefined {
  const why = resolution.why(path)
  if (why === undefined) return undefined
  const [winner, ...overridden] = [why.winner, ...why.overridden].map(
    ({ at, value }) => `${formatLocation(at)} ${jsonText(value)}`,
  )
  return [winner, ...overridden].join(' > ')
}

test('deep merges maps and replaces everything else, null included', () => {
  const { tree } = resolve(
    [
      layer(0, 'a', 'm: {x: 1, y: {z: 1}}\nlist: [1, 2]\nkept: 1\nscalar: 1\nmap: {k: 1}\nnone: {k: 1}'),
      layer(0, 'b', 'm: {y: {w: 2}}\nlist: [3]\nscalar: {k: 2}\nmap: text\nnone: null'),
    ],
    'deep',
  )
  assert.equal(
    jsonText(tree),
    '{"m":{"x":1,"y":{"z":1,"w":2}},"list":[3],"kept":1,"scalar":{"k":2},"map":"text","none":null}',
  )
})

test('replace takes each top-level key whole', () => {
  const { tree } = resolve([layer(0, 'a', 'm: {x: 1}\nn: 1'), layer(2, 'b', 'm: {y: 2}')], 'replace')
  assert.equal(jsonText(tree), '{"m":{"y":2},"n":1}')
})

test('a higher rank wins wherever it stands, and inside a rank the later layer', () => {
  const layers = [
    layer(3, 'operator-value', 'a: 3'),
    layer(2, 'first', 'a: 2\nb: 20'),
    layer(2, 'second', 'b: 21'),
    layer(0, 'tool', 'a: 0\nb: 0\nc: 0'),
    layer(1, 'operator-default', 'a: 1\nb: 1\nc: 1'),
  ]
  for (const mode of ['replace', 'deep'] as const) {
    const resolution = resolve(layers, mode)
    assert.equal(jsonText(resolution.tree), '{"a":3,"b":21,"c":1}')
    assert.equal(
      story(resolution, ['b']),
      'second:1:1 21 > first:2:1 20 > operator-default:2:1 1 > tool:2:1 0',
    )
  }
})

test('a source has an owner, a kind and a label', () => {
  const labelled = { ...layer(2, 'w', 'a: 1'), label: 'workload param' }
  const why = resolve([layer(1, 'p', 'a: 0'), labelled], 'replace').why(['a'])
  assert.deepEqual(why, {
    winner: {
      owner: 'developer',
      kind: 'value',
      at: { file: 'w', line: 1, column: 1 },
      value: 1,
      label: 'workload param',
    },
    overridden: [{ owner: 'operator', kind: 'default', at: { file: 'p', line: 1, column: 1 }, value: 0 }],
  })
})

test('what stood in the way of a value, or was hidden by one, is reported', () => {
  const resolution = resolve(
    [layer(0, 'a', 'm: {x: 1}\nn: {x: 1}'), layer(0, 'b', 'm: 5\nn: 7'), layer(0, 'c', 'm: {x: 3}')],
    'deep',
  )
  assert.equal(story(resolution, ['m', 'x']), 'c:1:5 3 > b:1:1 5 > a:1:5 1')
  assert.equal(story(resolution, ['n']), 'b:2:1 7 > a:2:1 {"x":1}')
  assert.equal(story(resolution, ['n', 'x']), undefined)
  assert.equal(story(resolution, ['nothing']), undefined)
})

test('objects that were merged override nothing, and those below a replaced one are overridden', () => {
  const resolution = resolve(
    [
      layer(0, 'a', 'm: {x: 1}'),
      layer(0, 'b', 'm: 5'),
      layer(0, 'c', 'm: {y: 1}'),
      layer(0, 'd', 'm: {z: 1}'),
    ],
    'deep',
  )
  assert.equal(story(resolution, ['m']), 'd:1:1 {"z":1} > b:1:1 5 > a:1:1 {"x":1}')
  assert.equal(story(resolution, []), 'd:1:1 {"m":{"z":1}}')
})

test('a path may lead into a list, which is replaced whole', () => {
  const resolution = resolve([layer(0, 'a', 'l: [{k: 1}, {k: 2}]'), layer(0, 'b', 'l:\n- k: 3\n')], 'deep')
  assert.equal(story(resolution, ['l', '0', 'k']), 'b:2:3 3 > a:1:6 1')
  assert.equal(story(resolution, ['l', '1', 'k']), undefined)
})

test('in mode replace the layer that has a key decides everything below it', () => {
  const resolution = resolve([layer(0, 'a', 'm: {x: 1, y: 2}'), layer(2, 'b', 'm: {x: 3}')], 'replace')
  assert.equal(story(resolution, ['m', 'x']), 'b:1:5 3 > a:1:5 1')
  assert.equal(story(resolution, ['m', 'y']), undefined)
  assert.equal(story(resolution, ['m']), 'b:1:1 {"x":3} > a:1:1 {"x":1,"y":2}')
})

test('leaves are scalars, lists and empty maps, and in mode replace the keys themselves', () => {
  const layers = [layer(0, 'a', 'm: {x: 1, e: {}}\nl: [1, 2]'), layer(2, 'b', 'm: {x: 2}')]
  const leavesOf = (mode: 'replace' | 'deep'): string[] =>
    Array.from(
      resolve(layers, mode).leaves(),
      ({ path, value, why }) => `${path.join('.')}=${jsonText(value)} ${why.winner.at.file}`,
    )
  assert.deepEqual(leavesOf('deep'), ['m.x=2 b', 'm.e={} a', 'l=[1,2] a'])
  assert.deepEqual(leavesOf('replace'), ['m={"x":2} b', 'l=[1,2] a'])
})

test('the located tree has the place of each winner', () => {
  const layers = [layer(0, 'a', 'm: {x: 1, y: 1}'), layer(2, 'b', 'm: {x: 2}')]
  const located = resolve(layers, 'deep').located()
  assert.equal(partAt(located, ['m', 'x'])?.at.file, 'b')
  assert.equal(partAt(located, ['m', 'y'])?.at.file, 'a')
  assert.equal(partAt(resolve(layers, 'replace').located(), ['m', 'y']), undefined)
})

test('no layers resolve to an empty map', () => {
  const resolution = resolve([], 'deep')
  assert.equal(jsonText(resolution.tree), '{}')
  assert.deepEqual([...resolution.leaves()], [])
  assert.equal(jsonText(resolution.located().value), '{}')
})

test('a layer that is not a map is refused with its place', () => {
  const tree = { value: [1], at: { file: 'v.yaml', line: 3 } }
  assert.throws(
    () => resolve([{ rank: 0, owner: 'tool', kind: 'default', tree }], 'deep'),
    new InvalidInputError('v.yaml:3: values must be an object, not a list'),
  )
})
