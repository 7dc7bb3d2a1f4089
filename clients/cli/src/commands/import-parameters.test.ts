import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  importedApplication as application,
  importRepository as repoURL,
  sourceLines as source,
  startImport,
} from '../testing/import-fixture.ts'

const helm = `    helm:
      # for the summer
      parameters:
        - name: replicas # many
          value: "3"
`

async function startParameters(files: Readonly<Record<string, string>>) {
  const copy = await startImport(files)
  const read = (path: string) => readFile(join(copy.root, path), 'utf8')
  return { ...copy, read }
}

test('parameters move into the file of the Application, with their comments, and come back', async () => {
  const web = application('web', `${source('charts/web')}${helm}`)
  await using copy = await startParameters({
    'apps/web.yaml': web,
    'apps/plain.yaml': application('plain', source('plain')),
    'apps/team.yaml': application('team', source('charts/web'), '  namespace: team\n'),
  })
  const args = ['import', 'apps', '--move-parameters', '--check']
  const { stdout, stderr, code } = await copy.wadi([...args, '--write'])
  assert.deepEqual([stderr, code], ['', 0])
  assert.match(stdout, /^team\/team: equal \(1 object\)\nargocd\/web: equal/m)
  assert.match(stdout, /^Application  argocd\/web +moves +\S+ +web +web +apps/m)
  assert.equal(
    await copy.read('charts/web/.argocd-source-web.yaml'),
    `helm:
  # for the summer
  parameters:
    - name: replicas # many
      value: "3"
  releaseName: web
`,
  )
  assert.equal(await copy.read('charts/web/.argocd-source-team_team.yaml'), 'helm:\n  releaseName: team\n')
  assert.doesNotMatch(await copy.read('apps/web.yaml'), /helm|releaseName/)
  assert.equal(existsSync(join(copy.root, 'plain/.argocd-source-plain.yaml')), false)
  await copy.wadi(['import', 'apps', '--revert', '--write'])
  assert.equal(await copy.read('apps/web.yaml'), web)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')
})

test('what a file of the directory says already stays, and where it would give others, so do the parameters', async () => {
  const own = '# by the updater\nhelm:\n  parameters:\n    - {name: replicas, value: "3"}\n'
  const another = own.replace('"3"', '"9"')
  await using copy = await startParameters({
    'charts/web/.argocd-source-web.yaml': own,
    'charts/web/.argocd-source-updated.yaml': another,
    'other/Chart.yaml': 'apiVersion: v2\nname: other\nversion: 1.0.0\n',
    'other/.argocd-source.yaml': 'helm: {releaseName: fixed, valuesObject: {replicas: 1}}\n',
    'apps/web.yaml': application('web', `${source('charts/web')}${helm}`),
    'apps/updated.yaml': application('updated', `${source('charts/web')}${helm}`),
    'apps/other.yaml': application('other', source('other', '    helm: {valuesObject: {replicas: 4}}\n')),
    'apps/elsewhere.yaml': application(
      'elsewhere',
      '  source: {repoURL: https://charts.example.com, chart: web, targetRevision: 1.0.0}\n',
    ),
  })
  const { stdout, stderr } = await copy.wadi([
    'import',
    'apps',
    '--move-parameters',
    `--sync-source-repo=${repoURL}`,
    '--write',
  ])
  assert.match(stdout, /^written: /m)
  assert.equal(await copy.read('charts/web/.argocd-source-web.yaml'), `${own}  releaseName: web\n`)
  assert.match(
    stderr,
    /argocd\/updated: its parameters stay .*charts\/web\/\.argocd-source-updated\.yaml has another helm\.parameters, which takes precedence already/,
  )
  assert.equal(await copy.read('charts/web/.argocd-source-updated.yaml'), another)
  assert.match(await copy.read('apps/updated.yaml'), /value: "3"\n {8}releaseName: updated/)
  assert.match(
    stderr,
    /Application argocd\/other: its parameters stay in the Application: with other\/\.argocd-source-other\.yaml they would be others than now/,
  )
  assert.match(
    stderr,
    /argocd\/elsewhere: its parameters stay .*its source is not in the files of this checkout/,
  )
  assert.match(await copy.read('apps/other.yaml'), /helm: \{valuesObject: \{replicas: 4\}\}/)
})

test('parameters stay where another Application of the repository reads the same file, also one of a set', async () => {
  const members = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: members}
spec:
  generators:
  - list: {elements: [{name: shop}]}
  template:
    metadata: {name: '{{name}}', namespace: argocd}
    spec:
      project: default
      source: {repoURL: '${repoURL}', targetRevision: main, path: ./charts/web}
      destination: {name: west}
`
  await using copy = await startParameters({
    'east/web.yaml': application('web', `${source('charts/web')}${helm}`),
    'east/shop.yaml': application('shop', `${source('charts/web')}${helm}`),
    'west/web.yaml': application('web', source('charts/web')),
    'west/set.yaml': members,
  })
  const { stdout, stderr } = await copy.wadi(['import', 'east', '--move-parameters', '--write'])
  assert.match(
    stderr,
    /argocd\/web: its parameters stay in the Application: Application argocd\/web \(west\/web\.yaml:4\) reads charts\/web\/\.argocd-source-web\.yaml, too/,
  )
  assert.match(
    stderr,
    /argocd\/shop: its parameters stay .*Application argocd\/shop of ApplicationSet argocd\/members \(west\/set\.yaml:3\) reads charts\/web\/\.argocd-source-shop\.yaml, too/,
  )
  assert.match(stdout, /^written: \.wadi-import\.patch, east\/shop\.yaml, east\/web\.yaml$/m)
})

test('of a set that makes charts and other directories, the charts name their releases', async () => {
  const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: mixed}
spec:
  goTemplate: true
  generators:
  - git: {repoURL: '${repoURL}', revision: HEAD, directories: [{path: charts/*}, {path: plain}]}
  template:
    metadata: {name: 'my-{{.path.basename}}'}
    spec:
      project: default
      source: {repoURL: '${repoURL}', targetRevision: HEAD, path: '{{.path.path}}'}
      destination: {name: prod}
`
  await using copy = await startParameters({ 'set.yaml': set })
  const { stdout, code } = await copy.wadi(['import', '--move-parameters', '--check', '--write'])
  assert.match(stdout, /^argocd\/my-web: equal \(1 object\)\nargocd\/my-plain: equal \(1 object\)$/m)
  assert.equal(code, 0)
  assert.equal(await copy.read('charts/web/.argocd-source-my-web.yaml'), 'helm:\n  releaseName: my-web\n')
  assert.doesNotMatch(await copy.read('set.yaml'), /releaseName/)
})
