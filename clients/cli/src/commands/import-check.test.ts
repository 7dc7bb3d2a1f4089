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
    /\nargocd\/other: 2 objects of 1 differ\n\n===== \/ConfigMap \/other-web ======\n--- given manifests\n\+\+\+ sourceHydrator\n[^]*^-  replicas: "5"\n\+  replicas: "1"\n[^]*===== \/Secret \/gone ======\n/m,
  )
  assert.match(stdout, /^argocd\/web: equal \(1 object\)$/m)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')
  const one = await copy.wadi([...args, '--app', 'web', '--write'])
  assert.equal(one.code, 0)
  const later = await copy.wadi([...args, '--app', 'web', '-o', 'json'])
  assert.deepEqual(JSON.parse(later.stdout)[0].check, [
    { name: 'argocd/web', outcome: 'equal', objects: 1, notes: [], differences: [] },
  ])
  const missing = await copy.wadi(['import', 'apps', '--manifests', 'plain'])
  assert.match(
    missing.stdout,
    /argocd\/web: not compared: plain has no argocd_web\.yaml and no web\.yaml; write it with: argocd app manifests web > plain\/web\.yaml/,
  )
  assert.equal(missing.code, 20)
})

test('with --partial, what is equal moves, and what is not stays with all of its template', async () => {
  const template = application('{{ .name }}', source('{{ .path }}', '    helm: {releaseName: own}\n'))
  await using copy = await startImport({
    'apps/other.yaml': application('other', source('charts/web')),
    'teams/Chart.yaml': 'apiVersion: v2\nname: teams\nversion: 1.0.0\n',
    'teams/values.yaml': 'parts: [{name: good, path: charts/web}, {name: bad, path: charts/gone}]\n',
    'teams/templates/parts.yaml': `{{- range .Values.parts }}\n---\n${template}{{- end }}\n`,
    'printed/other.yaml': tracked('other', 5),
  })
  const { stdout, code } = await copy.wadi(['import', 'apps', 'teams', '--check', '--write', '--partial'])
  assert.equal(code, 0)
  assert.match(
    stdout,
    /bad stays: .*its objects cannot be compared: source path "charts\/gone" does not exist/,
  )
  assert.match(stdout, /good stays: .*its template makes Application argocd\/bad, too, which stays/)
  assert.match(stdout, /^argocd\/good: equal .*\n[^]*^written: \.wadi-import\.patch, apps\/other\.yaml$/m)
  await copy.wadi(['import', '--revert', '--write'])
  const given = await copy.wadi(['import', 'apps', '--manifests', 'printed', '--partial', '-o', 'json'])
  const [other] = JSON.parse(given.stdout)
  assert.match(other.reasons[0], /its objects would differ$/)
  assert.equal(other.check[0].outcome, 'differs')
})

test('Applications of one name are told apart by their places', async () => {
  await using copy = await startImport({
    'dev/web.yaml': application('web', source('charts/web')).replace('default.svc', 'dev.example'),
    'prod/web.yaml': application('web', source('charts/web')),
  })
  const { stdout } = await copy.wadi(['import', '.', '--check'])
  assert.match(
    stdout,
    /^argocd\/web \(dev\/web\.yaml:4\): equal \(1 object\)\nargocd\/web \(prod\/web\.yaml:4\): equal/m,
  )
})

test('the labels by which Flux finds its objects are not compared', async () => {
  const labels = `  labels:
    kustomize.toolkit.fluxcd.io/name: web
    kustomize.toolkit.fluxcd.io/namespace: flux-system
    helm.toolkit.fluxcd.io/name: web
    helm.toolkit.fluxcd.io/namespace: flux-system
`
  await using copy = await startImport({
    'apps/web.yaml': application('web', source('charts/web')),
    'printed/web.yaml': tracked('web', 1).replace('\ndata:\n', `\n${labels}data:\n`),
  })
  const { stdout } = await copy.wadi(['import', 'apps', '--manifests', 'printed'])
  assert.match(stdout, /^argocd\/web: equal \(1 object\)$/m)
})

test('what Argo CD takes from its cluster, and what a layout leaves out, is not called equal in silence', async () => {
  const given = source('able', '    helm: {parameters: [{name: own, value: $ARGOCD_APP_NAME}]}\n')
  await using copy = await startImport({
    'able/Chart.yaml': 'apiVersion: v2\nname: able\nversion: 1.0.0\n',
    'able/charts/part/Chart.yaml': 'apiVersion: v2\nname: part\nversion: 1.0.0\n',
    'able/charts/part/templates/deep/part.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: part}
data: {version: {{ .Capabilities.KubeVersion.Minor | quote }}}
`,
    'defined/kind.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
`,
    'apps/able.yaml': application('able', given),
    'apps/defined.yaml': application('defined', source('defined'), '  annotations: {wadi.dev/crds: omit}\n'),
  })
  const { stdout, code } = await copy.wadi(['import', 'apps', '--check'])
  assert.match(
    stdout,
    /^argocd\/able: equal \(1 object\)\nargocd\/able: variable ARGOCD_APP_NAME is empty in hydration, where Argo CD may have a value\nargocd\/able: able\/charts\/part\/templates\/deep\/part\.yaml reads \.Capabilities, which Argo CD takes from the cluster /m,
  )
  assert.match(
    stdout,
    /^argocd\/defined: 1 object of 0 differ\n[^]*CustomResourceDefinition \/things\.example\.com/m,
  )
  assert.equal(code, 1)
})

test('a rule may name the parameters of a set, for a branch of each cluster', async () => {
  const sets = (own: string) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: shops}
spec:
${own}    metadata: {name: 'shop-REGION'}
    spec:
      project: default
      source: {repoURL: '${repoURL}', targetRevision: HEAD, path: plain}
      destination: {server: 'https://REGION.example.com'}
`
  const list = '  generators: [{list: {elements: [{region: north}, {region: south}]}}]\n  template:\n'
  await using copy = await startImport({
    'plain.yaml': sets(list).replaceAll('REGION', '{{region}}'),
    'go.yaml': sets(`  goTemplate: true\n${list}`).replaceAll('REGION', '{{.region}}').replace('shops', 'go'),
  })
  const rule = ['--branch', 'regions/{{.region}}', '--path', '{{set}}']
  const { stdout, code } = await copy.wadi(['import', 'plain.yaml', 'go.yaml', ...rule, '--check'])
  assert.match(stdout, /^ApplicationSet +argocd\/shops +moves +regions\/\{\{region\}\} +shops /m)
  assert.match(stdout, /^ApplicationSet +argocd\/go +moves +regions\/\{\{\.region\}\} +go /m)
  assert.equal(stdout.match(/^argocd\/shop-(?:north|south) \(.*\): equal \(1 object\)$/gm)?.length, 4)
  assert.equal(code, 0)
})

test('a set that git does not decide says that it is not compared', async () => {
  const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  goTemplate: true
  generators:
  - clusters: {}
  - list: {elements: [{name: known}]}
  template:
    metadata: {name: 'web-{{.name}}'}
    spec:
      project: default
      source: {repoURL: '${repoURL}', targetRevision: HEAD, path: 'charts/web', helm: {valueFiles: ['{{.name}}.yaml']}}
      destination: {name: '{{.name}}'}
`
  await using copy = await startImport({ 'set.yaml': set, 'charts/web/known.yaml': 'replicas: 5\n' })
  const { stdout, code } = await copy.wadi(['import', '--branch', 'all', '--check'])
  assert.match(stdout, /^ApplicationSet  argocd\/clusters  moves +all +web-\S+ +web-\{\{\.name\}\} /m)
  assert.match(
    stdout,
    /^argocd\/web-known: equal \(1 object\)\nApplicationSet argocd\/clusters: not compared: git does not decide what spec\.generators\[0\]\.clusters makes\n$/m,
  )
  assert.equal(code, 0)
  const json = await copy.wadi(['import', '--branch', 'all', '--check', '-o', 'json'])
  assert.deepEqual(JSON.parse(json.stdout)[0].check[1], {
    name: 'argocd/clusters',
    outcome: 'not compared',
    reason: 'git does not decide what spec.generators[0].clusters makes',
  })
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
