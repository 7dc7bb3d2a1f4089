import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { readNoiseRules } from '../noise/read-noise-rules.ts'
import { compareFiles, compareManifests } from './compare-manifests.ts'

const hashKey = Buffer.alloc(32, 7)

function compare(before: string, after: string, rules = '', left = 1_000_000) {
  const read = (text: string) => parseManifests(text, { file: 'test.yaml' })
  return compareManifests(read(before), read(after), {
    rules: readNoiseRules(Buffer.from(rules), 'wadi.yaml'),
    hashKey,
    budget: { left },
  })
}

function shown(objects: readonly ObjectChange[]): string[] {
  return objects.map(({ change, identity, previous }) => {
    return [change, identity?.kind, identity?.name, ...(previous ? [previous.name] : [])].join(' ')
  })
}

const configMap = (name: string, value: string, namespace = 'shop'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {value: ${JSON.stringify(value)}}\n`

const deployment = (name: string, replicas: number, chart = 'web-1'): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: {app: shop, helm.sh/chart: ${chart}}
spec:
  replicas: ${replicas}
  template:
    metadata:
      annotations: {checksum/config: '${chart}-sum'}
      labels: {app: shop, helm.sh/chart: ${chart}}
    spec:
      containers:
        - name: web
          image: registry.example.com/shop/web:1
          ports: [{containerPort: 8080}]
`

test('objects are compared by group, kind, namespace and name, never by their order', () => {
  const [one, other] = [configMap('one', '1'), configMap('one', '2', 'bar')]
  assert.deepEqual(compare(`${one}---\n${other}`, `${other}---\n${one}`), { objects: [], ignored: 0 })
  const changes = compare(
    `${one}---\n${configMap('gone', 'x\ny\nz')}`,
    `${configMap('new', '1\n2\n3', 'other')}---\n${configMap('one', '2')}`,
  )
  assert.deepEqual(shown(changes.objects), [
    'created ConfigMap new',
    'removed ConfigMap gone',
    'changed ConfigMap one',
  ])
})

test('an object that is written alike is the same, whatever the order and the kind of its numbers', () => {
  const sized = (value: string): string => `apiVersion: v1\nkind: Size\nmetadata: {name: web}\n${value}\n`
  const same = compare(sized('spec: {a: 0, b: 1}'), sized('spec: {b: 1.0, a: -0}'))
  assert.deepEqual(same, { objects: [], ignored: 0 })
  assert.deepEqual(shown(compare(sized('spec: {a: 1}'), sized("spec: {a: '1'}")).objects), [
    'changed Size web',
  ])
})

test('another API version is a change, and another API group a new name of the object', () => {
  const ingress = (apiVersion: string): string =>
    `apiVersion: ${apiVersion}\nkind: Ingress\nmetadata: {name: web}\n`
  assert.deepEqual(
    shown(compare(ingress('networking.k8s.io/v1beta1'), ingress('networking.k8s.io/v1')).objects),
    ['changed Ingress web'],
  )
  assert.deepEqual(shown(compare(ingress('extensions/v1beta1'), ingress('networking.k8s.io/v1')).objects), [
    'renamed Ingress web web',
  ])
})

test('an object with another hash in its name, the same content or mostly the same lines is renamed', () => {
  const cases: [string, string, string[]][] = [
    [
      configMap('settings-6ct58987ht', '1'),
      configMap('settings-9bk7tbm2mf', '2'),
      ['renamed ConfigMap settings-9bk7tbm2mf settings-6ct58987ht'],
    ],
    [configMap('old', 'same'), configMap('new', 'same'), ['renamed ConfigMap new old']],
    [deployment('old', 1), deployment('new', 2), ['renamed Deployment new old']],
    [
      configMap('one', 'x'),
      deployment('one-more', 2),
      ['removed ConfigMap one', 'created Deployment one-more'],
    ],
  ]
  for (const [before, after, expected] of cases)
    assert.deepEqual(shown(compare(before, after).objects), expected)
})

test('of several candidates each old object becomes one new one, the most similar', () => {
  const before = [deployment('a', 1, 'a-1'), deployment('b', 1, 'b-1')].join('---\n')
  const after = [deployment('c', 1, 'b-1'), deployment('d', 1, 'a-1'), deployment('e', 1, 'a-1')].join(
    '---\n',
  )
  assert.deepEqual(shown(compare(before, after).objects), [
    'renamed Deployment c b',
    'renamed Deployment d a',
    'created Deployment e',
  ])
})

test('values of Secrets show as hashes that tell equal from different and nothing else', () => {
  const secret = (password: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {password: ${password}, user: admin}\n`
  const [changed] = compare(secret('first'), secret('second')).objects
  const { before = '', after = '' } = changed ?? {}
  assert.match(before, /password: <hidden [0-9a-f]{10}>/)
  const lineOf = (text: string, key: string) => text.split('\n').find((line) => line.includes(`${key}:`))
  assert.notEqual(lineOf(before, 'password'), lineOf(after, 'password'))
  assert.equal(lineOf(before, 'user'), lineOf(after, 'user'))
  assert.doesNotMatch(before + after, /first|second|admin/)
  const [elsewhere] = compare('', secret('first').replace('name: db', 'name: other')).objects
  const other = elsewhere?.after ?? ''
  assert.notEqual(lineOf(before, 'password'), lineOf(other, 'password'))
})

test('what rules ignore is neither compared nor shown, in templates too', () => {
  const rules = `diff:
  ignore:
    - labels: [helm.sh/chart]
      annotations: ['checksum/*']
    - kind: Deployment
      name: web*
      jsonPointers: [/spec/template/spec/containers/*/image]
`
  const ignored = compare(
    deployment('web', 1),
    deployment('web', 1, 'web-2').replace('web:1', 'web:2'),
    rules,
  )
  assert.deepEqual(ignored, { objects: [], ignored: 1 })
  const { objects } = compare(deployment('web', 1), deployment('web', 2, 'web-2'), rules)
  assert.deepEqual(shown(objects), ['changed Deployment web'])
  assert.doesNotMatch(objects[0]?.after ?? '', /helm\.sh|checksum|image/)
  assert.equal(
    compare(deployment('api', 1), deployment('api', 1).replace('web:1', 'web:2'), rules).objects.length,
    1,
  )
})

test('texts beyond the budget are left out, and the change is still there', () => {
  const { objects } = compare(configMap('a', '1'), configMap('a', '2'), '', 10)
  assert.deepEqual([objects[0]?.truncated, objects[0]?.before, objects[0]?.after], [true, '', ''])
})

test('files beside the manifests are compared by path', () => {
  const files = compareFiles(
    [
      { path: 'a', content: '1' },
      { path: 'b', content: '1' },
    ],
    [
      { path: 'b', content: '1' },
      { path: 'c', content: '2' },
    ],
    { left: 100 },
  )
  assert.deepEqual(
    files.map(({ change, file }) => `${change} ${file}`),
    ['removed a', 'created c'],
  )
})
