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

const chart = { 'teams/Chart.yaml': 'apiVersion: v2\nname: teams\nversion: 1.0.0\n' }

const document = (name: string, spec: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
spec:
  destination: {server: "https://kubernetes.default.svc", namespace: shop}
${spec}`

const repeated = `{{- range .Values.parts }}
${document(
  '{{ printf "%s-%s" $.Release.Name .name | quote }}',
  `  source:
    repoURL: {{ $.Values.repository }}
    path: {{ .path | quote }}
    targetRevision: HEAD
    {{- with .options }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- if .sync }}
  syncPolicy:
    automated: {}
  {{- end }}
`,
)}---
{{- end }}
`

const parts = `repository: ${repoURL}
parts:
- {name: web, path: charts/web, sync: true, options: {helm: {releaseName: shop, parameters: [{name: replicas, value: "2"}]}}}
- {name: base, path: kustomized}
`

test('a template moves if its chart makes hydrated Applications of it afterwards, and goes back', async () => {
  const files = { ...chart, 'teams/values.yaml': parts, 'teams/templates/parts.yaml': repeated }
  await using copy = await startImport(files)
  const { stdout, code } = await copy.wadi(['import', '.', '--path', 'made/{{name}}', '--check'])
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^Application +argocd\/teams-base +moves +environments\/in-cluster +made\/teams-base +teams\/templates\/parts\.yaml:3$/m,
  )
  assert.ok(
    stdout.includes(`+  sourceHydrator:
+    drySource:
+      repoURL: {{ $.Values.repository }}
+      path: {{ .path | quote }}
+      targetRevision: HEAD
+      {{- with .options }}
+      {{- toYaml . | nindent 6 }}
+      {{- end }}
+    syncSource:
+      targetBranch: environments/in-cluster
+      path: "made/{{ printf "%s-%s" $.Release.Name .name }}"
   {{- if .sync }}
`),
    stdout,
  )
  assert.match(stdout, /^argocd\/teams-base: equal \(1 object\)\nargocd\/teams-web: equal \(1 object\)$/m)
  const one = await copy.wadi(['import', '.', '--app', 'teams-web'])
  assert.match(one.stdout, /teams-web stays: .*: its template makes 1 more, which are not selected$/m)
  assert.equal((await copy.wadi(['import', '.', '--write'])).code, 0)
  const again = await copy.wadi(['import', '.'])
  assert.match(again.stdout, /^Application +argocd\/teams-web +hydrated .*\n$/m)
  assert.equal((await copy.wadi(['import', '.', '--revert', '--write'])).code, 0)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')
})

test('the Applications that render a chart decide what its templates make', async () => {
  const template = `{{- if .Values.web }}
${document('{{ .Values.web }}', `  source:\n    repoURL: ${repoURL}\n    path: charts/web   # the shop\n    helm:\n      values: |\n        replicas: 3\n`)}{{- end }}
---
${document("'{{ .Values.plain }}'", `  source:\n    repoURL: ${repoURL}\n    path: plain\n`)}`
  const values = (web: string): string =>
    `    helm: {values: '{"web": "${web}", "plain": "plain-of-${web}"}'}\n`
  await using copy = await startImport({
    ...chart,
    'teams/templates/both.yaml': template,
    'apps/one.yaml': application('one', source('teams', values('one'))),
    'apps/two.yaml': application('two', source('./teams/', values('two'))),
  })
  const { stdout, code } = await copy.wadi(['import', 'teams', '--check', '--write'])
  assert.equal(code, 0, stdout)
  const checked = ['one', 'two'].map((name) => `shop/${name}: equal (1 object)\n`)
  const plain = ['one', 'two'].map((name) => `shop/plain-of-${name}: equal (1 object)\n`)
  assert.ok(stdout.includes(`\n${checked.join('')}${plain.join('')}`), stdout)
  const after = await readFile(join(copy.root, 'teams/templates/both.yaml'), 'utf8')
  assert.ok(
    after.includes(`      path: charts/web   # the shop
      helm:
        releaseName: "{{ .Values.web }}"
        values: |
          replicas: 3
      targetRevision: HEAD
    syncSource:
      targetBranch: environments/in-cluster
      path: "{{ .Values.web }}"
{{- end }}
`),
    after,
  )
})

test('a rule with a placeholder of templates gives each rendering of a chart a branch of its own', async () => {
  const values = (stage: string): string => `    helm: {values: '{"stage": "${stage}"}'}\n`
  const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set}
spec:
  goTemplate: true
  generators: [{list: {elements: [{name: a, Values: {stage: set}}]}}]
  template:
    metadata: {name: 'set-{{.name}}'}
    spec:
      project: default
      source: {repoURL: '${repoURL}', path: plain, targetRevision: HEAD}
      destination: {name: in-cluster}
`
  await using copy = await startImport({
    ...chart,
    'teams/templates/web.yaml': document(
      '{{ printf "web" }}',
      `  source:\n    repoURL: ${repoURL}\n    path: charts/web\n    targetRevision: {{ .Values.stage }}\n    helm: {releaseName: web}\n`,
    ),
    'apps/dev.yaml': application('dev', source('teams', values('HEAD'))),
    'apps/prod.yaml': application('prod', source('teams', values('main'))),
    'set.yaml': set,
  })
  const alike = await copy.wadi(['import', 'teams', '--branch', 'all'])
  assert.match(alike.stdout, /web stays: .* would get the same branch and path/)
  const rule = 'stages/{{.Values.stage}}'
  const { stdout, code } = await copy.wadi(['import', 'teams', 'set.yaml', '--branch', rule, '--check'])
  assert.equal(code, 0, stdout)
  for (const branch of ['stages/HEAD', 'stages/main']) {
    assert.match(stdout, new RegExp(`^Application +shop/web +moves +${branch} +web `, 'm'))
    assert.match(stdout, new RegExp(`^shop/web \\(teams/.*:2, ${branch}\\): equal `, 'm'))
  }
  assert.match(stdout, /^\+ +targetBranch: "stages\/\{\{\.Values\.stage\}\}"$/m)
  assert.match(stdout, /^ApplicationSet +argocd\/set +moves +stages\/\{\{\.Values\.stage\}\} /m)
  assert.match(stdout, /^argocd\/set-a: equal \(1 object\)$/m)
  const plain = await copy.wadi(['import', 'apps', '--branch', rule])
  assert.match(plain.stdout, /dev stays: .*it has no value for \{\{\.Values\.stage\}\} of the rule/)
})

test('templates that cannot move are named with the reason', async () => {
  await using copy = await startImport({
    ...chart,
    'teams/values.yaml': `repository: ${repoURL}
parts:
- {name: web, path: charts/web}
- {name: plain, path: plain}
source: {repoURL: '${repoURL}', path: plain}
`,
    'teams/templates/mixed.yaml': repeated,
    'teams/templates/given.yaml': document(
      '{{ .Release.Name }}-given',
      '  source: {{ toJson .Values.source }}\n',
    ),
    'teams/templates/wrong.yaml': document(
      '{{ "wrong" }}',
      '  project: ""\n  source:\n    repoURL: a b\n    path: ../x\n    targetRevision: HEAD\n    helm: {releaseName: x}\n',
    ),
    'teams/templates/off.yaml': `{{- if .Values.off }}\n${document('off', '  source:\n    path: plain\n')}{{- end }}\n`,
    'broken/Chart.yaml': 'apiVersion: v2\nname: broken\nversion: 1.0.0\n',
    'broken/templates/app.yaml': document(
      '{{ required "name it" .Values.name }}',
      '  source:\n    path: plain\n',
    ),
    'more/app.jsonnet': "{ apiVersion: 'argoproj.io/v1alpha1',\n  kind: 'Application',\n}\n",
  })
  const { stdout } = await copy.wadi(['import', '.'])
  const lines = stdout.split('\n').filter((line) => line.includes(' stays: '))
  const mixed =
    'only some of the Applications that the template makes are charts without a name for their release, or name no revision; write helm.releaseName and targetRevision into the template'
  const hint = 'add a file with the Application that renders it to this repository, or change it by hand'
  assert.deepEqual(
    lines.map((line) => line.replace(/helm template.*; add/, '…; add')),
    [
      'Application argocd/teams-given stays: teams/templates/given.yaml:2: its source is not written out in the template',
      `Application argocd/teams-plain stays: teams/templates/mixed.yaml:3: ${mixed}`,
      `Application argocd/teams-web stays: teams/templates/mixed.yaml:3: ${mixed}`,
      'Application argocd/wrong stays: teams/templates/wrong.yaml:2: Application argocd/wrong: spec.sourceHydrator.drySource.path: "../x" must be a relative path inside the repository',
      'Application argocd/wrong stays: teams/templates/wrong.yaml:2: spec.project is empty; name a project, or leave the field out for default',
      'Application argocd/wrong stays: teams/templates/wrong.yaml:2: spec.sourceHydrator.drySource.repoURL: repository URL "a b" contains a blank or a control character',
      `broken/templates/app.yaml:2 stays: it is a template of chart broken, which cannot be rendered here: …; ${hint}`,
      'more/app.jsonnet:2 stays: it is a template that makes Applications; replace its source by sourceHydrator by hand, or import the Applications that it makes',
      `teams/templates/off.yaml:3 stays: it is a template of chart teams, which makes no Application of all that it has; ${hint}`,
    ],
  )
})

test('a template that writes Applications as a list or in JSON is named, and nothing is written', async () => {
  const item = (kind: string): string => `apiVersion: v1
kind: List
items:
{{- range .Values.parts }}
${kind}
  apiVersion: argoproj.io/v1alpha1
  metadata: {name: '{{ .name }}'}
  spec: {source: {repoURL: '${repoURL}', path: '{{ .path }}'}, destination: {name: in-cluster}}
{{- end }}
`
  const files = {
    'list.yaml': item('- kind: Application'),
    'quoted.yaml': item('- "kind": "Application"'),
    'flow.yaml': '{"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", {{ .Values.rest }}}\n',
    'also.yaml': `${document('also', `  source:\n    repoURL: ${repoURL}\n    path: plain\n`)}---\n${item('- kind: Application')}`,
  }
  const templates = Object.entries(files).map(([name, text]) => [`${name}/templates/${name}`, text])
  const charts = Object.keys(files).map((name) => [
    `${name}/Chart.yaml`,
    'apiVersion: v2\nname: made\nversion: 1.0.0\n',
  ])
  await using copy = await startImport({
    ...Object.fromEntries([...templates, ...charts]),
    'flow.yaml/values.yaml': 'rest: "metadata: {name: flow}"\n',
  })
  const { stdout, stderr, code } = await copy.wadi(['import', '.', '--write'])
  const staying = stdout.split('\n').filter((line) => line.includes(' stays: it is a template of chart '))
  assert.deepEqual(
    staying.map((line) => line.split(' ', 1).join('')),
    [
      'also.yaml/templates/also.yaml:2',
      'flow.yaml/templates/flow.yaml:1',
      'list.yaml/templates/list.yaml:5',
      'quoted.yaml/templates/quoted.yaml:5',
    ],
    stdout,
  )
  assert.match(stderr, /nothing was written, as 4 stay/)
  assert.equal(code, 20)
})

test('a template whose helm is not a line of its own stays, and the others of its chart move', async () => {
  const helmed = (name: string, helm: string): string =>
    document(
      `{{ "${name}" }}`,
      `  source:\n    repoURL: ${repoURL}\n    path: charts/web\n    targetRevision: HEAD\n    ${helm}\n`,
    )
  await using copy = await startImport({
    ...chart,
    'teams/templates/flow.yaml': helmed('flow', "helm: {values: 'replicas: 3'}"),
    'teams/templates/noted.yaml': helmed('noted', 'helm: # ours\n      values: "replicas: 3"'),
    'teams/templates/plain.yaml': document(
      '{{ "plain" }}',
      `  source:\n    repoURL: ${repoURL}\n    path: plain\n    targetRevision: HEAD\n`,
    ),
  })
  const { stdout } = await copy.wadi(['import', 'teams'])
  for (const name of ['flow', 'noted']) {
    assert.match(
      stdout,
      new RegExp(
        `^Application argocd/${name} stays: teams/templates/${name}.yaml:2: its source has more than helm: on that line, .*; write helm.releaseName into the template$`,
        'm',
      ),
    )
  }
  assert.match(stdout, /^Application +argocd\/plain +moves /m)
})

test('an Application of a template that collides with another keeps all of its template back', async () => {
  await using copy = await startImport({
    ...chart,
    'teams/values.yaml': parts,
    'teams/templates/parts.yaml': repeated,
    'apps/other.yaml': application('other', source('plain')),
  })
  const { stdout, stderr, code } = await copy.wadi([
    'import',
    '.',
    '--path',
    '{{destination.namespace}}',
    '--write',
  ])
  assert.equal(code, 20)
  assert.match(
    stdout,
    /teams-web stays: .*would get the same branch and path; use a rule that tells them apart/,
  )
  assert.match(stderr, /nothing was written, as 3 stay/)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')
})
