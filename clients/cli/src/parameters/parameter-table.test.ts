import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { parameterTable } from './parameter-table.ts'
import { map, sampleParameters, text } from '../testing/parameters-fixture.ts'

const sample = sampleParameters.map((parameter) => create(ParameterSchema, parameter))
const plain = { wide: false, setOnly: false, width: undefined }

test('groups have headings, maps a row for each key, and what is set begins with *', () => {
  assert.equal(
    parameterTable(sample, plain),
    `NAME          TYPE      DEFAULT  VALUE                           FROM
replicas      number    1                                        chart
hosts         string[]  []       [a.example.com, b.example.com]  apps/guestbook/.argocd-source.yaml:4

Looks:
size          enum      S        XXL                             Application
image         map                                                apps/guestbook/.argocd-source.yaml:7
  repository            nginx                                    ${''}
* tag                   v1       v2                              ${''}
  pullSecret            ""                                       ${''}
* digest                         sha256:00                       ${''}
`,
  )
})

test('what has its default is left out on request, keys of maps too', () => {
  assert.equal(
    parameterTable(sample, { ...plain, setOnly: true }),
    `NAME      TYPE      DEFAULT  VALUE                           FROM
hosts     string[]  []       [a.example.com, b.example.com]  apps/guestbook/.argocd-source.yaml:4

Looks:
size      enum      S        XXL                             Application
image     map                                                apps/guestbook/.argocd-source.yaml:7
* tag               v1       v2                              ${''}
* digest                     sha256:00                       ${''}
`,
  )
})

test('the long table shows the line of a chart and what the parameters are for', () => {
  const [head, replicas, , , , size] = parameterTable(sample, { ...plain, wide: true }).split('\n')
  assert.match(head ?? '', /FROM +DESCRIPTION$/)
  assert.match(replicas ?? '', / charts\/web\/values\.yaml:3 +How many; required$/)
  assert.match(size ?? '', / Application +Size; one of S, L$/)
})

test('no line is longer than the terminal, whichever of default and value is long', () => {
  const long = 'x'.repeat(200)
  for (const [fallback, value] of [
    [long, 'short'],
    ['short', long],
    [long, long],
  ] as const) {
    const shape = {
      name: 'motd',
      default: text(fallback),
      value: text(value),
      origin: { kind: 'application' },
    }
    const table = parameterTable([create(ParameterSchema, shape)], { ...plain, width: 80 })
    const widths = table.split('\n').map((line) => Array.from(line).length)
    assert.equal(Math.max(...widths), 80, table)
    for (const cell of [fallback, value]) {
      assert.ok(cell === 'short' ? table.includes('short') : table.includes('x…'), table)
    }
  }
})

test('a terminal that is too narrow still shows the beginning of values', () => {
  const shape = { name: 'motd', default: text('abcdefghijklmnop'), value: text('0123456789abcdef') }
  const table = parameterTable([create(ParameterSchema, shape)], { ...plain, width: 20 })
  assert.match(table, /abcdefghijk… {2}0123456789a… /)
})

test('lines and control characters of values, keys and groups cannot forge a table', () => {
  const shape = {
    name: 'a\nb',
    group: 'g\u001b[2J',
    collection: 'map',
    value: map({ 'k\ny': 'v\u0007' }),
    origin: { kind: 'git', file: 'x\ny', line: 1 },
  }
  assert.equal(
    parameterTable([create(ParameterSchema, shape)], plain),
    `NAME   TYPE  DEFAULT  VALUE  FROM

g\\x1b[2J:
a b    map                   x y:1
* k y                 v\\x07  ${''}
`,
  )
})
