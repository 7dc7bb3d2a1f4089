import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { describeDifference } from './difference.ts'

function object(
  kind: string,
  name: string,
  rest: { [key: string]: JsonValue } = {},
  namespace = 'prod',
): string {
  return JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, namespace }, ...rest })
}

test('equal results have no difference', () => {
  const manifests = [object('Secret', 'web', { data: { password: 'b2xk' } }), object('Service', 'web')]
  assert.equal(describeDifference(manifests, [...manifests]), '')
  assert.equal(describeDifference([], []), '')
})

test('objects and the paths of their fields are named, values never', () => {
  const make = (secret: string) => [
    object('Secret', 'web', { data: { password: secret, user: 'same' } }),
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        template: { metadata: { annotations: { 'checksum/secret': `${secret}${secret}` } } },
        containers: [{ name: 'a' }, { name: 'b', env: [{ value: secret }] }],
      },
    }),
  ]
  assert.equal(
    describeDifference(make('c2VjcmV0'), make('b3RoZXI')),
    'Secret prod/web: data.password; Deployment.apps web: spec.template.metadata.annotations["checksum/secret"], spec.containers[1].env[0].value',
  )
})

test('a field that one result lacks, and a list of another length, differ as a whole', () => {
  const first = object('ConfigMap', 'a', { data: { gone: 'x' }, list: [1, 2] })
  const second = object('ConfigMap', 'a', { data: {}, list: [1] })
  assert.equal(describeDifference([first], [second]), 'ConfigMap prod/a: data.gone, list')
  assert.equal(describeDifference([second], [first]), 'ConfigMap prod/a: data.gone, list')
})

test('keys that objects of JavaScript know by themselves are fields like others', () => {
  const make = (value: string) =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"__proto__":"${value}","constructor":"same"}}`
  assert.equal(describeDifference([make('1')], [make('2')]), 'ConfigMap a: data.__proto__')
  const without = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{}}'
  assert.equal(describeDifference([make('1')], [without]), 'ConfigMap a: data.__proto__, data.constructor')
})

test('an object that only one result has is reported, also one of several with the same name', () => {
  const web = object('Job', 'web-1x7')
  const other = object('Job', 'web-9q2')
  assert.equal(describeDifference([], [web]), 'Job prod/web-1x7 (not in every render)')
  assert.equal(describeDifference([web], [other]), 'Job prod/web-1x7 (not in every render)')
  assert.equal(
    describeDifference([web], [object('Pod', 'web-9q2')]),
    'Job prod/web-1x7 (not in every render); Pod prod/web-9q2 (not in every render)',
  )
  assert.equal(describeDifference([web], [web, web]), 'Job prod/web-1x7 (not in every render)')
  assert.equal(describeDifference([web, web], [web]), 'Job prod/web-1x7 (not in every render)')
})

test('integers beyond those of JavaScript are compared exactly', () => {
  const make = (last: number) =>
    `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":{"size":900719925474099${last}}}`
  assert.equal(describeDifference([make(2)], [make(3)]), 'A a: spec.size')
})

test('many differences are counted, and long names cut', () => {
  const make = (value: string) =>
    Array.from({ length: 7 }, (_, index) =>
      object('Secret', `s${index}`, { data: { a: value, b: value, c: value, d: value, e: value } }),
    )
  const reported = describeDifference(make('1'), make('2'))
  assert.equal(reported.split('; ').length, 5)
  assert.match(reported, /^Secret prod\/s0: data\.a, data\.b, data\.c and 2 more; .* and 2 more$/)
  const long = (value: string) =>
    object('Secret', 'n'.repeat(9_000), { data: { ['k'.repeat(9_000)]: value } })
  assert.ok(describeDifference([long('1')], [long('2')]).length < 700)
})
