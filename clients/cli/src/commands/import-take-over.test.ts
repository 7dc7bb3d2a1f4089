import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  importedApplication,
  importRepository as repoURL,
  sourceLines,
  startImport,
} from '../testing/import-fixture.ts'

const hydrated = (name: string, path: string, { drySource = '', metadata = '' } = {}) => `# ${name}
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name} # the name
${metadata}spec:
  sourceHydrator:
    drySource:
      repoURL: ${repoURL}
      targetRevision: HEAD
      path: ${path}
${drySource}    syncSource: {targetBranch: environments/prod, path: ${name}}
  destination: {server: https://kubernetes.default.svc, namespace: shop}
`

const set = (paths: readonly string[]) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all}
spec:
  goTemplate: true
  generators:
  - list: {elements: [${paths.map((path, index) => `{path: ${path}, name: made-${index}}`).join(', ')}]}
  template:
    metadata: {name: '{{.name}}'}
    spec:
      project: default
      sourceHydrator:
        drySource: {repoURL: '${repoURL}', targetRevision: HEAD, path: '{{.path}}'}
        syncSource: {targetBranch: environments/prod, path: '{{.name}}'}
      destination: {server: https://kubernetes.default.svc}
`

test('what Argo CD’s own hydrator renders gets the names of releases and the layout, and goes back', async () => {
  const files = {
    'apps/web.yaml': hydrated('web', 'charts/web'),
    'apps/plain.yaml': hydrated('plain', 'plain', { metadata: '  annotations:\n    team: shop # ours\n' }),
    'apps/done.yaml': hydrated('done', 'charts/web', {
      metadata: '  annotations: {wadi.dev/layout: one-file}\n',
      drySource: '      helm: {releaseName: other}\n',
    }),
    'apps/made.yaml': set(['charts/web', 'charts/web']),
    'apps/moved.yaml': importedApplication('moved', sourceLines('plain')),
    'apps/one.json': JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'one' },
      spec: {
        sourceHydrator: {
          drySource: {
            repoURL,
            targetRevision: 'HEAD',
            path: 'charts/web',
            helm: { valueFiles: ['values.yaml'] },
          },
          syncSource: { targetBranch: 'environments/prod', path: 'one' },
        },
        destination: { server: 'https://kubernetes.default.svc' },
      },
    }),
  }
  await using copy = await startImport(files)
  const read = (file: string) => readFile(join(copy.root, file), 'utf8')
  const planned = await copy.wadi(['import', 'apps', '--take-over'])
  assert.equal(
    planned.stdout.split('\n\n')[0],
    `KIND            NAME          OUTCOME   BRANCH             PATH       RELEASE    FILE
Application     argocd/done   hydrated                                           apps/done.yaml:5
ApplicationSet  argocd/all    moves     environments/prod  {{.name}}  {{.name}}  apps/made.yaml:3
Application     argocd/one    moves     environments/prod  one        one        apps/one.json:1
Application     argocd/plain  moves     environments/prod  plain                 apps/plain.yaml:5
Application     argocd/web    moves     environments/prod  web        web        apps/web.yaml:5`,
  )
  assert.equal(planned.code, 0)
  const written = await copy.wadi(['import', 'apps', '--take-over', '--write'])
  assert.equal(written.code, 0, written.stderr)
  assert.equal(
    await read('apps/web.yaml'),
    files['apps/web.yaml']
      .replace('# the name\n', '# the name\n  annotations:\n    wadi.dev/layout: as-argo-cd\n')
      .replace('path: charts/web\n', 'path: charts/web\n      helm:\n        releaseName: web\n'),
  )
  assert.equal(
    await read('apps/plain.yaml'),
    files['apps/plain.yaml'].replace('# ours\n', '# ours\n    wadi.dev/layout: as-argo-cd\n'),
  )
  assert.equal(
    await read('apps/made.yaml'),
    files['apps/made.yaml']
      .replace("{name: '{{.name}}'}", `{name: '{{.name}}', "annotations": {"wadi.dev/layout":"as-argo-cd"}}`)
      .replace("path: '{{.path}}'}", `path: '{{.path}}', "helm": {"releaseName":"{{.name}}"}}`),
  )
  const { metadata, spec } = JSON.parse(await read('apps/one.json')) as Record<
    string,
    Record<string, unknown>
  >
  assert.deepEqual(metadata, { name: 'one', annotations: { 'wadi.dev/layout': 'as-argo-cd' } })
  assert.match(JSON.stringify(spec), /"helm":\{"valueFiles":\["values\.yaml"\],"releaseName":"one"\}/)
  for (const file of ['apps/done.yaml', 'apps/moved.yaml'] as const)
    assert.equal(await read(file), files[file])
  const again = await copy.wadi(['import', 'apps', '--take-over', '--write'])
  assert.match(again.stdout, /nothing to write\n$/)
  const back = await copy.wadi(['import', 'apps', '--revert', '--write'])
  assert.equal(back.code, 0)
  for (const [file, text] of Object.entries(files)) assert.equal(await read(file), text, file)
})

test('empty annotations and labels, which YAML reads as null, are none', async () => {
  const empty = hydrated('web', 'charts/web', { metadata: '  annotations: # none yet\n  labels:\n' })
  await using copy = await startImport({ 'apps/web.yaml': `${empty}status:\n` })
  const { stdout, stderr, code } = await copy.wadi(['import', 'apps', '--take-over', '--write'])
  assert.equal(code, 0, stdout + stderr)
  assert.match(
    await readFile(join(copy.root, 'apps/web.yaml'), 'utf8'),
    /\n {2}annotations: # none yet\n {4}wadi\.dev\/layout: as-argo-cd\n {2}labels:\n/,
  )
})

test('a set of charts and other directories stays, as does what others own', async () => {
  const owner = '  ownerReferences:\n  - {apiVersion: v1, kind: ApplicationSet, name: all, uid: "1"}\n'
  await using copy = await startImport({
    'apps/made.yaml': set(['charts/web', 'plain']),
    'apps/owned.yaml': hydrated('owned', 'plain', { metadata: owner }),
  })
  const { stdout } = await copy.wadi(['import', 'apps', '--take-over'])
  assert.match(
    stdout,
    /ApplicationSet argocd\/all stays: apps\/made\.yaml:\d+: the releases of some of its Applications \(made-0\) have no name, /,
  )
  assert.match(
    stdout,
    /Application argocd\/owned stays: .*: ApplicationSet all owns it and would undo the change/,
  )
  const refused = await copy.wadi(['import', 'apps', '--take-over', '--check'])
  assert.match(refused.stderr, /compare with "wadi shadow" in place of --check/)
})
