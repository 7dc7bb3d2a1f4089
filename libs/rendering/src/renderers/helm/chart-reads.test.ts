import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartReads } from './chart-reads.ts'

const define = (name: string, body: string) => `{{ define "${name}" }}${body}{{ end }}`
const include = (name: string) => `{{ include "${name}" . }}`
const values = (count: number, name = 'v') =>
  Array.from({ length: count }, (_, index) => `{{ .Values.${name}${index} }}`).join('')

/** Returns the sorted paths that a template reads; `all` if it reads about everything. */
function reads(template: string, ...helpers: readonly string[]): readonly string[] | 'all' {
  const texts = new Map([
    ['t', template],
    ...helpers.map((text, index): [string, string] => [`h${index}`, text]),
  ])
  const found = chartReads(texts)('t')
  return found === undefined ? 'all' : [...found].toSorted()
}

test('a template reads what those that it includes read, in circles too', () => {
  const helpers = [
    define('a', `{{ .Values.a }}${include('b')}`) + define('b', `{{ .Values.b.c }}{{ template "c" . }}`),
    define('c', `{{ .Values.global.d }}${include('a')}`) + define('other', '{{ .Values.other }}'),
  ]
  assert.deepEqual(reads(`{{ .Values.own }}${include('a')}${include('none')}`, ...helpers), [
    '.a',
    '.b.c',
    '.global.d',
    '.own',
  ])
  assert.deepEqual(reads(include('c'), ...helpers), ['.a', '.b.c', '.global.d'])
})

test('templates that include one another very deep are followed to the end', () => {
  const chain = Array.from({ length: 19_999 }, (_, index) => define(`d${index}`, include(`d${index + 1}`)))
  assert.deepEqual(reads(include('d0'), chain.join('') + define('d19999', '{{ .Values.deep }}')), ['.deep'])
})

test('a template of which too much would have to be read may read everything', () => {
  assert.equal(reads(values(201)), 'all')
  assert.equal(reads(include('a'), define('a', values(201))), 'all')
  const path = '.x'.repeat(300_000)
  assert.deepEqual(reads(`.Values${path} .Values.${'y'.repeat(501)} .Values.global.${'z'.repeat(501)}`), [
    '',
    '.global',
    '.x'.repeat(20),
  ])
  assert.equal(reads('{{ .Values.a }}', define('a', '').repeat(20_001)), 'all')
  assert.equal(reads('{{ .Values.a }}', 'x'.repeat(16 * 1024 * 1024)), 'all')
})

test('each helper is read once, however many templates include it', () => {
  const helper = define('a', '{{ .Values.a }}'.repeat(70_000))
  const templates = Array.from({ length: 5_000 }, (_, index): [string, string] => [`t${index}`, include('a')])
  const readsOf = chartReads(new Map([['helper', helper], ...templates]))
  assert.ok(templates.every(([file]) => readsOf(file)?.size === 1))
})

const everyInclude = Array.from({ length: 1_000 }, (_, other) => include(`d${other}`)).join('')

// Followed to the end, each would take minutes.
for (const [what, template, helper] of [
  [
    'each of many includes each',
    include('d0'),
    Array.from({ length: 1_000 }, (_, one) =>
      define(`d${one}`, `${values(190, `v${one}x`)}${everyInclude}`),
    ).join(''),
  ],
  ['spaces behind an include', '{{ include'.padEnd(1_000_000), ''],
  ['spaces behind a parenthesis', '{{ include('.padEnd(1_000_000), ''],
  ['spaces behind a define', '{{'.padEnd(1_000_000), ''],
] as const) {
  test(`the reading of hostile templates is bounded: ${what}`, () => {
    const found = reads(template, helper)
    assert.deepEqual(found, helper === '' ? [] : 'all')
  })
}
