import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  importedApplication as application,
  importRepository as repoURL,
  sourceLines as source,
  startImport,
} from '../testing/import-fixture.ts'

const head = (kind: string, name: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`

test('patches of kustomizations are no Applications, and stay if they change a source', async () => {
  await using copy = await startImport({
    'apps/kustomization.yaml': 'resources: [web.yaml]\n',
    'apps/web.yaml': application('web', source('charts/web')),
    'prod/kustomization.yaml': `resources: [../apps]
patchesStrategicMerge: [gone.yaml]
patches:
- path: deep/revision.yaml
- {path: wave.yaml, target: {kind: Application}}
- patch: "- {op: add, path: /metadata/labels, value: {a: b}}"
  target:
    kind: Application
`,
    'prod/gone.yaml': `${head('ApplicationSet', 'gone')}$patch: delete\n`,
    'prod/wave.yaml': head('Application', 'web'),
    'prod/deep/revision.yaml': `${head('Application', 'web')}spec:\n  source:\n    targetRevision: v1\n`,
    'prod/unused.yaml': head('Application', 'unused'),
  })
  const { stdout } = await copy.wadi(['import', '.'])
  assert.doesNotMatch(stdout, /^prod\/kustomization\.yaml/m)
  const [table = ''] = stdout.split('\n\n')
  assert.deepEqual(
    table.split('\n').map((line) => line.split(/\s+/).slice(1, 3).join(' ')),
    ['NAME OUTCOME', 'argocd/web moves', 'argocd/web stays', 'argocd/unused stays'],
  )
  assert.match(
    stdout,
    /^Application argocd\/web stays: prod\/deep\/revision\.yaml:6: it is a patch of prod\/kustomization\.yaml; write it for sourceHydrator by hand, together with what it patches\nApplication argocd\/unused stays: prod\/unused\.yaml:4: it has no spec; if it is a patch, name it in a kustomization/m,
  )
})

test('a set of clusters moves if none of the directories that it can name is a chart', async () => {
  const set = (name: string, path: string, elements: string): string => `${head('ApplicationSet', name)}spec:
  generators:
  - merge:
      mergeKeys: [nameNormalized]
      generators:
      - clusters:
          values: {root: parts/, stage: dev}
      - ${elements}
  template:
    metadata: {name: '${name}-{{nameNormalized}}'}
    spec:
      project: default
      source:
        repoURL: ${repoURL}
        targetRevision: HEAD
        path: '${path}'
      destination: {name: '{{name}}'}
`
  const list = 'list: {elements: [{nameNormalized: a, values.stage: prod}, {nameNormalized: b}]}'
  const files = `git: {repoURL: ${repoURL}, revision: HEAD, files: [{path: clusters/*.yaml}]}`
  await using copy = await startImport({
    'parts/web/dev/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    'parts/web/old/Chart.yaml': 'apiVersion: v2\nname: old\nversion: 1.0.0\n',
    'clusters/a.yaml': 'nameNormalized: a\n',
    'sets/sure.yaml': set('sure', '{{values.root}}/web/{{values.stage}}', list),
    'sets/any.yaml': set('any', '{{values.root}}/web/{{nameNormalized}}', list),
    'sets/many.yaml': set('many', `${'{{nameNormalized}}/'.repeat(40)}deploy`, list),
    'sets/read.yaml': set('read', '{{values.root}}/web/{{values.stage}}', files),
  })
  const { stdout } = await copy.wadi(['import', 'sets', '--check'])
  const [table = ''] = stdout.split('\n\n')
  const outcomes = table.split('\n').map((line) => line.split(/\s+/).slice(1, 3).join(' '))
  assert.deepEqual(outcomes, [
    'NAME OUTCOME',
    'argocd/any stays',
    'argocd/many moves',
    'argocd/read stays',
    'argocd/sure moves',
  ])
  assert.match(stdout, /^ApplicationSet argocd\/any stays: .* unknown whether its directories are charts/m)
  assert.match(stdout, /^ApplicationSet argocd\/sure: not compared: git does not decide/m)
})
