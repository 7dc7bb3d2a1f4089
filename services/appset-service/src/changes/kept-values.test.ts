import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJqPath } from '@wadi/application-sets/ignored/jq-path.ts'
import { readJsonPointer } from '@wadi/application-sets/ignored/kept-place.ts'
import { withKeptValues } from './kept-values.ts'

const helm = (...parameters: unknown[]) => ({ helm: { parameters } })
const x = (value: string) => ({ name: 'x', value })
const y = (value: string) => ({ name: 'y', value })

for (const [about, place, existing, generated, expected] of [
  ['a value stays', '.a.b', { a: { b: 1, c: 1 } }, { a: { b: 2, c: 2 } }, { a: { b: 1, c: 2 } }],
  ['a map stays whole', '.a', { a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1 } }],
  ['what is not generated stays', '.a.b', { a: { b: 1, c: 1 } }, { d: 2 }, { a: { b: 1 }, d: 2 }],
  ['what was removed does not come', '.a.b', { a: {} }, { a: { b: 2, c: 2 } }, { a: { c: 2 } }],
  ['nor does the map around it', '.a.b', {}, { a: { b: 2 } }, {}],
  ['null is a value', '.a', { a: null }, { a: 1 }, { a: null }],
  ['a text where a map was is as generated', '.a.b', { a: { b: 1 } }, { a: 'text' }, { a: 'text' }],
  ['what neither has is left', '.a.b.c', { d: 1 }, { d: 2 }, { d: 2 }],
  [
    'a pointer leads through lists by position',
    '/a/1/b',
    { a: [{}, { b: 1 }] },
    { a: [{ c: 2 }, { b: 2 }] },
    { a: [{ c: 2 }, { b: 1 }] },
  ],
  ['a pointer may name a whole item', '/a/0', { a: [1, 1] }, { a: [2, 2] }, { a: [1, 2] }],
  ['a position that one of both lacks is as generated', '/a/1', { a: [1] }, { a: [2, 2] }, { a: [2, 2] }],
  ['items are not brought back by position', '/a/1/b', { a: [{}, { b: 1 }] }, { a: [{}] }, { a: [{}] }],
  ['a part that is not a position leads nowhere', '/a/-', { a: [1] }, { a: [2] }, { a: [2] }],
  ['digits are a key of a map', '/a/0', { a: { 0: 1 } }, { a: { 0: 2 } }, { a: { 0: 1 } }],
  ['an index counts from the end', '.a[-1]', { a: [1, 1, 1] }, { a: [2, 2] }, { a: [2, 1] }],
  [
    'items are the same by name',
    '.helm.parameters[].value',
    helm(x('1'), y('1')),
    helm(y('2'), x('2'), { name: 'z', value: '2' }),
    helm(y('1'), x('1'), { name: 'z', value: '2' }),
  ],
  [
    'a name twice makes them the same by order',
    '.helm.parameters[].value',
    helm(x('1'), x('3')),
    helm(x('2'), x('4')),
    helm(x('1'), x('3')),
  ],
  [
    'one item among others that change',
    '.helm.parameters[] | select(.name == "x") | .value',
    helm(x('1'), y('1')),
    helm(y('2'), x('2')),
    helm(y('2'), x('1')),
  ],
  [
    'a whole item stays, also when it is not generated',
    '.helm.parameters[] | select(.name == "x")',
    helm(y('1'), x('1')),
    helm(y('2')),
    helm(y('2'), x('1')),
  ],
  [
    'a whole item that was removed does not come',
    '.helm.parameters[] | select(.name == "x")',
    helm(y('1')),
    helm(x('2'), y('2')),
    helm(y('2')),
  ],
  [
    'a list is made for a whole item',
    '.helm.parameters[] | select(.name == "x")',
    helm(x('1')),
    {},
    helm(x('1')),
  ],
  ['no list is left for none', '.helm.parameters[]', {}, helm(x('2')), {}],
  [
    'items without a name are the same by order among the selected',
    '.s[] | select(.u == "b") | .r',
    {
      s: [
        { u: 'b', r: 1 },
        { u: 'c', r: 1 },
      ],
    },
    {
      s: [
        { u: 'a', r: 2 },
        { u: 'b', r: 2 },
      ],
    },
    {
      s: [
        { u: 'a', r: 2 },
        { u: 'b', r: 1 },
      ],
    },
  ],
  [
    'conditions are joined',
    '.s[] | select(.u == "b" and .v != 1) | .r',
    { s: [{ u: 'b', v: 2, r: 1 }] },
    {
      s: [
        { u: 'b', v: 1, r: 2 },
        { u: 'b', r: 2 },
      ],
    },
    {
      s: [
        { u: 'b', v: 1, r: 2 },
        { u: 'b', r: 1 },
      ],
    },
  ],
  [
    'a list of texts',
    '.f[] | select(. == "keep")',
    { f: ['keep', 'old'] },
    { f: ['new'] },
    { f: ['new', 'keep'] },
  ],
  [
    'every value of a map',
    '.m[].v',
    { m: { a: { v: 1 }, b: { v: 1 } } },
    { m: { b: { v: 2, w: 2 }, c: { w: 2 } } },
    { m: { b: { v: 1, w: 2 }, c: { w: 2 }, a: { v: 1 } } },
  ],
  [
    'a condition on the way counts for both',
    '.a | select(.on == true) | .v',
    { a: { on: true, v: 1 } },
    { a: { on: false, v: 2 } },
    { a: { on: false, v: 2 } },
  ],
  [
    'a list where a map was is as generated',
    '.a[].b',
    { a: { x: { b: 1 } } },
    { a: [{ b: 2 }] },
    { a: [{ b: 2 }] },
  ],
] as const) {
  test(`${about}: ${place}`, () => {
    const read = place.startsWith('/') ? readJsonPointer : readJqPath
    const before = JSON.stringify([existing, generated])
    const result = withKeptValues(existing, generated, read(place))
    assert.deepEqual(result, expected)
    assert.equal(JSON.stringify([existing, generated]), before)
    // What was kept once is kept again: nothing is written over and over.
    assert.deepEqual(withKeptValues(result, generated, read(place)), result)
  })
}

test('keys that JavaScript knows are keys like every other', () => {
  const existing: unknown = JSON.parse('{"__proto__":{"a":1},"x":1}')
  const generated: unknown = JSON.parse('{"__proto__":{"a":2},"x":2}')
  assert.equal(
    JSON.stringify(withKeptValues(existing, generated, readJsonPointer('/__proto__/a'))),
    '{"__proto__":{"a":1},"x":2}',
  )
  assert.deepEqual(withKeptValues({}, { a: 1 }, readJqPath('.constructor.name')), { a: 1 })
})
