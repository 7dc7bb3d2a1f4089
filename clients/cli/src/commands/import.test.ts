import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  importedApplication as application,
  importRepository as repoURL,
  sourceLines as source,
  startImport,
} from '../testing/import-fixture.ts'

const set = (name: string, generators: string, spec: string): string => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: ${name}
spec:
  goTemplate: true
  generators:
${generators}  template:
    metadata:
      name: '${name}-{{.path.basename}}'
    spec:
${spec}      destination:
        name: prod
`

const directoriesOf = (...paths: string[]): string =>
  `  - git:\n      repoURL: ${repoURL}\n      revision: HEAD\n      directories:\n${paths.map((path) => `      - path: ${path}\n`).join('')}`

const templateSource = `      source:
        repoURL: ${repoURL}
        targetRevision: HEAD
        path: '{{.path.path}}'
`

test('the plan says where each Application goes, and the diff what changes in its file', async () => {
  await using copy = await startImport({
    'apps/web.yaml': application(
      'web',
      source('charts/web', '    helm: {parameters: [{name: replicas, value: "2"}]}\n'),
    ),
    'apps/plain.yaml': application('plain', source('plain'), '  labels: {env: dev}\n'),
    'apps/kustomized.json': JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'kustomized', namespace: 'team' },
      spec: { source: { repoURL, path: 'kustomized' }, destination: { name: 'prod' }, project: 'shop' },
    }),
  })
  const { stdout, stderr, code } = await copy.wadi(['import', 'apps'])
  const [table, diff = ''] = stdout.split('\n\n')
  assert.equal(
    table,
    `KIND         NAME             OUTCOME  BRANCH                   PATH        RELEASE  FILE
Application  team/kustomized  moves    environments/prod        kustomized           apps/kustomized.json:1
Application  argocd/plain     moves    environments/in-cluster  plain                apps/plain.yaml:4
Application  argocd/web       moves    environments/in-cluster  web         web      apps/web.yaml:4`,
  )
  assert.match(diff, /^diff --git a\/apps\/kustomized.json .*"drySource": .*"targetRevision": "HEAD"/ms)
  assert.match(diff, /^\+ {6}helm: \{parameters: .*, "releaseName": "web"\}$/m)
  assert.match(stderr, /Application argocd\/web: Argo CD has options in drySource from 3\.3 on, /)
  assert.equal(code, 0)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')

  const ruled = await copy.wadi([
    'import',
    'apps',
    '--selector=env',
    '--branch=env/{{labels.env}}',
    '--path={{project}}/{{destination.namespace}}/{{namespace}}-{{ name }}',
  ])
  assert.match(ruled.stdout, /^Application  argocd\/plain  moves +env\/dev  default\/shop\/argocd-plain /m)
  const unknown = await copy.wadi(['import', '--path', '{{nmae}}'])
  assert.match(unknown.stderr, /--path: \{\{nmae\}\} is not a placeholder; expected one of \{\{name\}\}, /)
  assert.equal(unknown.code, 20)
})

test('the template of a set moves, with a release name if it makes charts', async () => {
  await using copy = await startImport({
    'sets/charts.yaml': set('charts', directoriesOf('charts/*'), templateSource),
    'sets/others.yaml': set('others', directoriesOf('plain', 'kustomized'), templateSource),
    'sets/mixed.yaml': set('mixed', directoriesOf('charts/web', 'plain'), templateSource),
    'sets/clusters.yaml': set('clusters', '  - clusters: {}\n', templateSource),
  })
  const { stdout } = await copy.wadi(['import', 'sets', '--path', '{{set}}/{{name}}'])
  assert.match(
    stdout,
    /^ApplicationSet  argocd\/charts    moves    environments\/prod  charts\/charts-\{\{\.path\.basename\}\}  charts-\{\{\.path\.basename\}\}  sets\/charts\.yaml:4$/m,
  )
  assert.match(stdout, /^ApplicationSet  argocd\/others +moves +\S+ +others\/others-\S+ +sets\/others/m)
  assert.match(stdout, /^\+ {12}releaseName: charts-\{\{\.path\.basename\}\}$/m)
  assert.match(
    stdout,
    /^ApplicationSet argocd\/mixed stays: sets\/mixed\.yaml:\d+: it makes Applications of charts \(mixed-web\) and of other directories/m,
  )
  assert.match(
    stdout,
    /^ApplicationSet argocd\/clusters stays: .*unknown whether its directories are charts, as git does not decide what spec\.generators\[0\]\.clusters makes/m,
  )
})

test('what cannot move is named with its reason and place, and nothing of it is in the diff', async () => {
  const hydrated = `  sourceHydrator:
    drySource: {repoURL: '${repoURL}', targetRevision: HEAD, path: plain}
    syncSource: {targetBranch: environments/in-cluster, path: taken}
`
  const owner = `  ownerReferences:\n  - {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, name: all, uid: "1"}\n`
  await using copy = await startImport({
    'a/chart.yaml': application(
      'chart',
      '  source: {repoURL: https://charts.example.com, chart: web, targetRevision: 1.0.0}\n',
    ),
    'a/done.yaml': application('done', hydrated),
    'a/half.yaml': application('half', source('plain') + hydrated),
    'a/owned.yaml': application('owned', source('plain'), owner),
    'a/owned-set.yaml': set('sets', '  - list: {elements: []}\n', templateSource).replace(
      'metadata:\n',
      `metadata:\n${owner}`,
    ),
    'a/taken.yaml': application('taken', source('charts/web')),
    'a/twice.yaml': application('twice', source('plain')),
    'a/twice-again.yaml': application('twice', source('kustomized')),
    'a/unread.yaml': application('unread', source('missing')),
    'a/none.yaml': application('none', ''),
    'a/template.yaml': `{{ if true }}\n${application('{{ .name }}', source('plain'))}{{ end }}\n`,
  })
  const { stdout } = await copy.wadi(['import', 'a'])
  const reasons = stdout.split('\n').filter((line) => line.includes(' stays: '))
  assert.deepEqual(
    reasons.map((line) => line.replace(/^Application argocd\//, '').replace(/\b[0-9a-f]{40}$/, 'SHA')),
    [
      'chart stays: a/chart.yaml:6: Application chart: spec.sourceHydrator.syncSource.repoURL is required: the git repository of the hydrated branch, as a chart is in none',
      'half stays: a/half.yaml:6: it is half moved: it has both source and sourceHydrator; remove one of them',
      'none stays: a/none.yaml:5: it has neither source nor sources; give it one',
      'ApplicationSet argocd/sets stays: a/owned-set.yaml:4: ApplicationSet all owns it and would undo the change; import that',
      'owned stays: a/owned.yaml:5: ApplicationSet all owns it and would undo the change; import that',
      'taken stays: a/taken.yaml:4: Application argocd/done (a/done.yaml:4) would get the same branch and path; use a rule that tells them apart',
      'twice stays: a/twice-again.yaml:4: Application argocd/twice (a/twice.yaml:4) would get the same branch and path; use a rule that tells them apart',
      'twice stays: a/twice.yaml:4: Application argocd/twice (a/twice-again.yaml:4) would get the same branch and path; use a rule that tells them apart',
      'unread stays: a/unread.yaml:6: source path "missing" does not exist at revision SHA',
      'a/template.yaml:3 stays: it is a template that makes Applications; replace its source by sourceHydrator by hand, or import the Applications that it makes',
    ],
  )
  assert.equal(stdout.includes('diff --git'), false)
  const withRepository = await copy.wadi(['import', 'a', '--app', 'chart', '--sync-source-repo', repoURL])
  assert.match(withRepository.stdout, /^\+ {6}repoURL: https:\/\/git\.example\.com\/shop\/deploy\.git$/m)
  const none = await copy.wadi(['import', 'a', '--app', 'missing'])
  assert.match(none.stderr, /none of the 10 Applications and ApplicationSets of a is missing/)
})

test('what the definition of Argo CD does not have is said once, with those that use it', async () => {
  const chart =
    '  source: {repoURL: https://charts.example.com, chart: web, targetRevision: 1.0.0, helm: {releaseName: x}}\n'
  const several = `  sources:
  - {repoURL: '${repoURL}', path: plain}
  - {repoURL: '${repoURL}', ref: values}
`
  await using copy = await startImport({
    'a/chart.yaml': application('chart', chart),
    'a/several.yaml': application('several', several),
    'a/more.yaml': application('more', several),
    'a/plain.yaml': application('plain', source('plain')),
  })
  const { stderr } = await copy.wadi(['import', 'a', '--sync-source-repo', repoURL])
  const apart =
    'apply it where only Wadi reads it, and let Argo CD sync the branch by an Application with source'
  for (const line of [
    `Application argocd/more, Application argocd/several: Argo CD's definition has no drySources, and its API server rejects the object; ${apart}`,
    `Application argocd/chart: Argo CD's definition has no chart in drySource, and its API server rejects it; ${apart}`,
    `Application argocd/chart, Application argocd/more, Application argocd/plain, Application argocd/several: Argo CD has syncSource.repoURL from 3.5 on, and the API server of older ones drops it; upgrade, or ${apart}`,
  ]) {
    assert.ok(stderr.includes(line), `${line}\n${stderr}`)
  }
})

test('places of hydrated Applications are taken in all files, and the root of a branch by one alone', async () => {
  const hydrated = (branch: string, path: string) => `  sourceHydrator:
    drySource: {repoURL: '${repoURL}', targetRevision: HEAD, path: kustomized}
    syncSource: {targetBranch: ${branch}, path: ${path}}
`
  await using copy = await startImport({
    'a/root.yaml': application('root', source('plain'), '  labels: {env: one}\n'),
    'a/same.yaml': application('same', source('plain'), '  labels: {env: two}\n'),
    'a/deep.yaml': application('deep', source('plain'), '  labels: {env: three}\n'),
    'b/beside.yaml': application('beside', hydrated('one', 'beside')),
    'b/same.yaml': application('taken', hydrated('two', 'same')),
    'b/root.yaml': application('all', hydrated('three', '.')),
  })
  const rooted = await copy.wadi(['import', 'a', '--app=root', '--branch={{labels.env}}', '--path=.'])
  assert.match(
    rooted.stdout,
    /argocd\/root stays: a\/root\.yaml:4: it would get the root of a branch on which Application argocd\/beside \(b\/beside\.yaml:4\) is/,
  )
  const { stdout } = await copy.wadi(['import', 'a', '--branch={{labels.env}}'])
  assert.match(
    stdout,
    /argocd\/same stays: a\/same\.yaml:4: Application argocd\/taken \(b\/same\.yaml:4\) would get the same branch and path/,
  )
  assert.match(
    stdout,
    /argocd\/deep stays: a\/deep\.yaml:4: Application argocd\/all \(b\/root\.yaml:4\) has the root of its branch; use another branch/,
  )
  assert.match(stdout, /^Application  argocd\/root  moves/m)
})

test('a set whose Applications are named otherwise than its template says keeps its releases', async () => {
  const named = (generator: string) =>
    set('named', `  - ${generator}\n`, templateSource.replace("'{{.path.path}}'", 'charts/web')).replace(
      '{{.path.basename}}',
      '{{.name}}',
    )
  const own = "template: {metadata: {name: 'my-{{.name}}'}, spec: {project: default}}"
  await using copy = await startImport({
    'known.yaml': named(`list: {elements: [{name: one}], ${own}}`),
    'unknown.yaml': named(`clusters: {${own}}`).replace('name: named\n', 'name: unknown\n'),
  })
  const { stdout } = await copy.wadi(['import'])
  const stays = stdout.split('\n').filter((line) => line.includes(' stays: '))
  const reason =
    "releases have the names of the Applications, which a generator's template or the templatePatch decides; write helm.releaseName into the template"
  assert.deepEqual(stays, [
    `ApplicationSet argocd/named stays: known.yaml:13: the release of my-one would be "named-one": ${reason}`,
    `ApplicationSet argocd/unknown stays: unknown.yaml:13: ${reason}`,
  ])
})

test('what stays cannot move the cursor of a terminal', async () => {
  await using copy = await startImport({
    'half.yaml': application('"half\\e[2J"', `${source('plain')}  sourceHydrator: {}\n`),
  })
  const { stdout } = await copy.wadi(['import'])
  assert.match(stdout, /^Application argocd\/half\\x1b\[2J stays: half\.yaml:6: it is half moved/m)
  assert.equal(stdout.includes('\x1b'), false)
})

test('two clusters that the rule gives one name keep their Applications', async () => {
  const to = (name: string, port: number) =>
    application(name, source('plain')).replace(
      'https://kubernetes.default.svc',
      `https://east.example.com:${port}`,
    )
  await using copy = await startImport({ 'a/one.yaml': to('one', 6443), 'a/two.yaml': to('two', 7443) })
  const { stdout } = await copy.wadi(['import', 'a'])
  assert.match(
    stdout,
    /^Application argocd\/one stays: a\/one\.yaml:4: \{\{destination\}\} is "east\.example\.com" for https:\/\/east\.example\.com:6443 and https:\/\/east\.example\.com:7443;/m,
  )
  const { stdout: apart } = await copy.wadi(['import', 'a', '--branch', 'environments/all'])
  assert.match(apart, /^Application  argocd\/two  moves/m)
})

test('scripts read the plan as JSON or YAML, with the objects', async () => {
  await using copy = await startImport({ 'web.yaml': application('web', source('charts/web')) })
  const { stdout } = await copy.wadi(['import', '-o', 'json'])
  const [item] = JSON.parse(stdout)
  assert.deepEqual(item, {
    kind: 'Application',
    name: 'argocd/web',
    outcome: 'moves',
    file: 'web.yaml',
    line: 4,
    syncSource: { targetBranch: 'environments/in-cluster', path: 'web' },
    releaseNames: ['web'],
    reasons: [],
    notes: [
      'Argo CD has options in drySource from 3.3 on, and the API server of older ones drops them; upgrade, or move them with --move-parameters',
    ],
    object: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'web' },
      spec: {
        destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
        sourceHydrator: {
          drySource: { repoURL, targetRevision: 'HEAD', path: 'charts/web', helm: { releaseName: 'web' } },
          syncSource: { targetBranch: 'environments/in-cluster', path: 'web' },
        },
      },
    },
  })
  assert.match(
    (await copy.wadi(['import', '-o', 'yaml'])).stdout,
    /^- file: web\.yaml\n {2}kind: Application\n/,
  )
  assert.ok((await readFile(join(copy.root, 'web.yaml'), 'utf8')).includes('  source:\n'))
})
