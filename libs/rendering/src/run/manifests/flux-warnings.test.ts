import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../render-fixture.ts'
import { fluxWarnings } from './flux-warnings.ts'

const tools = await testTools()

function object(kind: string, metadata: object, more: object = {}): string {
  const apiVersion = kind === 'ClusterRole' ? 'rbac.authorization.k8s.io/v1' : 'v1'
  return JSON.stringify({ apiVersion, kind, metadata, ...more })
}

const refused = 'Flux applies nothing of the directory because of'
const keepAway = 'keep **/files/ away with spec.ignore of its GitRepository or a .sourceignore'
const twice =
  'it is there more than once, and an object without a namespace is one in "default"; remove one of them'

for (const [name, manifests, warnings] of [
  ['different objects', [object('ConfigMap', { name: 'a' }), object('Secret', { name: 'a' })], []],
  [
    'a generated name',
    [object('ConfigMap', { generateName: 'job-' })],
    [`${refused} ConfigMap job-…: an object without metadata.name, also with generateName; name it`],
  ],
  ['a list without a name', [object('ConfigMapList', {}, { items: [] })], []],
  [
    'one object with and without its namespace',
    [object('ConfigMap', { name: 'a' }), object('ConfigMap', { name: 'a', namespace: 'default' })],
    [`${refused} ConfigMap a: ${twice}`],
  ],
  [
    'objects of one name in two namespaces',
    [object('ConfigMap', { name: 'a' }), object('ConfigMap', { name: 'a', namespace: 'other' })],
    [],
  ],
  [
    'an object of the cluster twice',
    [object('ClusterRole', { name: 'a' }), object('ClusterRole', { name: 'a', namespace: 'other' })],
    [`${refused} ClusterRole a: ${twice}`],
  ],
  [
    'what is for this machine alone',
    ['true', 'yes', 'false'].map((value, index) =>
      object('ConfigMap', {
        name: `a${index}`,
        annotations: { 'config.kubernetes.io/local-config': value },
      }),
    ),
    [
      'Flux leaves out ConfigMap a0, ConfigMap a1, which has the annotation config.kubernetes.io/local-config; remove it if it is to be applied',
    ],
  ],
] as const) {
  test(`of ${name} Flux has ${warnings.length === 0 ? 'nothing to say' : 'a warning'}`, () => {
    assert.deepEqual(fluxWarnings({ manifests, files: [] }), warnings)
  })
}

for (const [path, content, warnings] of [
  [
    'etc/app.yaml',
    'port: 80\n',
    [`${refused} files/etc/app.yaml: a file that is not a Kubernetes object; ${keepAway}`],
  ],
  [
    'etc/app.yml',
    '[1, 2]',
    [`${refused} files/etc/app.yml: a file that is not a Kubernetes object; ${keepAway}`],
  ],
  [
    'broken.yaml',
    'a: [',
    [`${refused} files/broken.yaml: a file that is not a Kubernetes object; ${keepAway}`],
  ],
  ['etc/app.json', '{"port": 80}', []],
  ['empty.yaml', '# nothing\n', []],
  ['o.yaml', object('ConfigMap', { name: 'a' }), [`Flux also applies files/o.yaml; ${keepAway}`]],
  ['k/kustomization.yaml', 'resources: []\n', [`Flux builds the kustomization in files/k; ${keepAway}`]],
] as const) {
  test(`of the file ${path} Flux has ${warnings.length === 0 ? 'nothing to say' : 'a warning'}`, () => {
    assert.deepEqual(fluxWarnings({ manifests: [], files: [{ path, content }] }), warnings)
  })
}

test('what Flux builds as a kustomization it does not read file by file', () => {
  const files = [
    { path: 'k/kustomization.yaml', content: 'resources: []\n' },
    { path: 'k/deep/values.yaml', content: 'a: 1\n' },
  ]
  assert.deepEqual(fluxWarnings({ manifests: [], files }), [
    `Flux builds the kustomization in files/k; ${keepAway}`,
  ])
})

test('only a source that Flux applies warns of it, and has another fingerprint', async () => {
  await using fixture = new RenderFixture(tools, {
    'web/a.yaml':
      'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: run-}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  })
  const plain = await fixture.render(testSource('web'))
  const forFlux = await fixture.render({ ...testSource('web'), forFlux: true })
  assert.deepEqual(plain.record.warnings, [])
  assert.deepEqual(forFlux.record.warnings, [
    `${refused} Job run-…: an object without metadata.name, also with generateName; name it`,
  ])
  assert.deepEqual(forFlux.manifests, plain.manifests)
  assert.notEqual(forFlux.fingerprint, plain.fingerprint)
})
