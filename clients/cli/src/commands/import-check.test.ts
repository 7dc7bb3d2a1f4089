import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  importedApplication as application,
  importRepository as repoURL,
  sourceLines as source,
  startImport,
} from '../testing/import-fixture.ts'

const tracked = (name: string, replicas: number, more = '') => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}-web
  annotations:
    argocd.argoproj.io/tracking-id: ${name}:/ConfigMap:shop/${name}-web
data:
  replicas: "${replicas}"
${more}`

test('both forms are rendered, with the name of the Application for a release', async () => {
  const several = `  sources:
  - {repoURL: '${repoURL}', path: charts/web, helm: {valueFiles: [$values/plain/values.yaml]}}
  - {repoURL: '${repoURL}', ref: values}
`
  await using copy = await startImport({
    'plain/values.yaml': 'replicas: 7\nkind: List\napiVersion: v1\nitems: []\n',
    'apps/web.yaml': application('web', source('charts/web')),
    'apps/several.yaml': application('several', several),
    'apps/kustomized.yaml': application(
      'kustomized',
      source('kustomized', '    kustomize: {nameSuffix: -x}\n'),
    ),
  })
  const { stdout, code } = await copy.wadi(['import', 'apps', '--check'])
  assert.equal(code, 0)
  assert.match(
    stdout,
    /\n\nargocd\/kustomized: equal \(1 object\)\nargocd\/several: equal \(1 object\)\nargocd\/web: equal \(1 object\)\n$/,
  )
})

test('what Argo CD printed is compared, without what it adds, and also after the move', async () => {
  await using copy = await startImport({
    'apps/web.yaml': application('web', source('charts/web')),
    'apps/other.yaml': application('other', source('charts/web')),
    'printed/web.yaml': tracked('web', 1),
    'printed/argocd_other.yaml': tracked(
      'other',
      5,
      '---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: gone\n',
    ),
  })
  const args = ['import', 'apps', '--manifests', 'printed']
  const { stdout, code } = await copy.wadi([...args, '--write'])
  assert.equal(code, 1)
  assert.match(
    stdout,
    /\nargocd\/other: 2 objects of 1 differ\n\n===== \/ConfigMap \/other-web ======\n--- manifests of Argo CD\n\+\+\+ sourceHydrator\n[^]*^-  replicas: "5"\n\+  replicas: "1"\n[^]*===== \/Secret \/gone ======\n/m,
  )
  assert.match(stdout, /^argocd\/web: equal \(1 object\)$/m)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')
  const one = await copy.wadi([...args, '--app', 'web', '--write'])
  assert.equal(one.code, 0)
  const later = await copy.wadi([...args, '--app', 'web', '-o', 'json'])
  assert.deepEqual(JSON.parse(later.stdout)[0].check, [
    { name: 'argocd/web', outcome: 'equal', objects: 1, differences: [] },
  ])
  const missing = await copy.wadi(['import', 'apps', '--manifests', 'plain'])
  assert.match(
    missing.stdout,
    /argocd\/web: not compared: plain has no argocd_web\.yaml and no web\.yaml; write it with: argocd app manifests web > plain\/web\.yaml/,
  )
  assert.equal(missing.code, 20)
})

const shared = join(import.meta.dirname, '../../../../../shared')
const [examples, printed] = [
  join(shared, 'corpus/argocd-example-apps'),
  join(shared, 'fixtures/argocd-output/hydrated'),
]
const isThere = existsSync(examples) && existsSync(printed)
const skip = isThere
  ? false
  : 'the examples of Argo CD and its manifests of them are not beside this checkout'

/** The examples that are directories of that repository and whose manifests are not random. */
const names = [
  'blue-green',
  'guestbook',
  'helm-guestbook',
  'helm-hooks',
  'kustomize-guestbook',
  'pre-post-sync',
  'sock-shop',
  'sync-waves',
]

test('the examples of Argo CD give the objects that Argo CD made of them', { skip }, async () => {
  const files = readdirSync(examples, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const content = files.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(examples.length + 1), readFileSync(path)] as const
  })
  const apps = names.map((name) => {
    const text = application(name, source(name)).replace('namespace: shop', `namespace: ${name}`)
    return [`argocd/${name}.yaml`, text] as const
  })
  await using copy = await startImport(Object.fromEntries([...content, ...apps]))
  const { stdout, code } = await copy.wadi(['import', 'argocd', '--manifests', printed])
  assert.deepEqual(
    stdout
      .split('\n')
      .filter((line) => /: (?:equal|not compared|\d+ objects? of) /.test(line))
      .map((line) => line.split(' (')[0]),
    names.map((name) => `argocd/${name}: equal`),
  )
  assert.equal(code, 0)
})
