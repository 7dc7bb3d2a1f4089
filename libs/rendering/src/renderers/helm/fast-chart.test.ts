import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { guardForTests } from '../../run/guard-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import type { SourceOptions } from '../../source/source.ts'

const tools = await testTools()

const chart = (name: string, more = '') => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`

/** Shows everything that Helm gives a template, as one ConfigMap. */
const shown = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-{{ .Chart.Name }}
  namespace: {{ .Release.Namespace }}
data:
  values: |
    {{- toYaml .Values | nindent 4 }}
  chart: {{ toJson .Chart | quote }}
  release: {{ toJson .Release | quote }}
  capabilities: {{ toJson .Capabilities | quote }}
  template: {{ toJson .Template | quote }}
  subcharts: {{ keys .Subcharts | sortAlpha | toJson | quote }}
`

/** Compares both ways with each of these options; every one of them renders. */
async function compareAll(
  files: Readonly<Record<string, string>>,
  all: readonly NonNullable<SourceOptions['helm']>[],
  path = 'web',
): Promise<string[][]> {
  await using fixture = new RenderFixture(tools, files)
  const { render, outcomes, messages } = guardForTests(fixture)
  const manifests: string[][] = []
  for (const helm of all) {
    const rendered = await render(testSource(path, { helm }, 'apps'), true)
    manifests.push([...rendered.manifests])
  }
  assert.deepEqual(messages, [])
  assert.deepEqual(
    outcomes,
    all.map(() => 'equal'),
  )
  return manifests
}

const family = {
  'web/Chart.yaml': chart(
    'web',
    `dependencies:
  - { name: api, version: 1.0.0, condition: api.enabled, tags: [back], import-values: [data, { child: limits, parent: imported.limits }] }
  - { name: api, alias: second, version: 1.0.0, condition: second.enabled }
  - { name: store, version: 1.0.0, tags: [back, state] }
  - { name: library, version: 1.0.0 }
`,
  ),
  'web/values.yaml':
    'a: { b: 1, c: [1, 2] }\nglobal: { region: eu, deep: { x: 1 } }\napi: { port: 80, dropped: null }\nsecond: { enabled: false }\ntags: { state: true }\n',
  'web/templates/all.yaml': shown,
  'web/templates/_own.tpl': '{{ define "who" }}web{{ end }}',
  'web/charts/api/Chart.yaml': chart('api'),
  'web/charts/api/values.yaml':
    'port: 8080\ndropped: { x: 1 }\nexports: { data: { fromApi: true } }\nlimits: { cpu: 1, memory: 2 }\nglobal: { region: us, own: 1, deep: { y: 2 } }\n',
  'web/charts/api/templates/all.yaml': `${shown}  who: {{ include "who" . }}\n`,
  'web/charts/store/Chart.yaml': chart('store'),
  'web/charts/store/values.yaml': 'size: 1Gi\nlabels: { a: x, b: y }\n',
  'web/charts/store/templates/all.yaml': shown,
  'web/charts/library/Chart.yaml': chart('library', 'type: library\n'),
  'web/charts/library/templates/_names.tpl': '{{ define "who" }}library{{ end }}',
  'web/charts/library/templates/ignored.yaml': 'not: rendered\n',
}

test('values are coalesced, imported and passed down, and dependencies chosen, as helm does', async () => {
  const values = [
    '',
    'a: null',
    'a: { b: null, d: 1.5 }\nglobal: null',
    'api: { dropped: { y: 1 }, enabled: true, limits: null }\nglobal: { deep: { x: null, z: 3 } }',
    'api: { enabled: false }\nsecond: { enabled: true, port: 9 }',
    'tags: { back: false }\nstore: { labels: { a: null } }',
    'tags: { back: false, state: false }\napi: { enabled: true }',
    'a: text\nstore: { labels: text }',
    'big: 1000000\nlarge: 12345678901234567890\nyes: yes\noctal: 0755\ndate: 2024-01-02\n',
    '---\na: { b: 1 }\n---\na: { e: 2 }\n',
  ].map((text) => ({ values: text }))
  await compareAll(family, values)
})

test('trees of values chosen by chance are coalesced as helm does', async () => {
  const random = seededRandom(7)
  const leaf = (): unknown => [null, 1, 'x', true, 2.5, [], {}, [{ a: null }]][random.integer(0, 7)]
  const tree = (depth: number): unknown =>
    depth === 0 || random.chance(0.3)
      ? leaf()
      : Object.fromEntries(
          ['a', 'b', 'api', 'port', 'global', 'deep', 'limits'].flatMap((key) =>
            random.chance(0.4) ? [[key, tree(depth - 1)]] : [],
          ),
        )
  const object = (depth: number) => {
    const made = tree(depth)
    return typeof made === 'object' && made !== null && !Array.isArray(made) ? made : {}
  }
  await using fixture = new RenderFixture(tools, family)
  const { render, outcomes, messages } = guardForTests(fixture)
  for (let n = 0; n < 25; n++) {
    fixture.write('web/values.yaml', JSON.stringify(object(3)))
    fixture.write('web/charts/api/values.yaml', JSON.stringify(object(3)))
    // Either way may reject such values, as long as the other does too.
    await render(testSource('web', { helm: { values: JSON.stringify(object(3)) } }), true).catch(
      () => undefined,
    )
  }
  assert.deepEqual(messages, [])
  assert.deepEqual(new Set(outcomes).difference(new Set(['equal', 'refused'])), new Set())
  assert.ok(outcomes.filter((outcome) => outcome === 'equal').length > 10, outcomes.join(' '))
})

test('every option of a chart reaches the fast way', async () => {
  const files = {
    ...family,
    'web/more.yaml': 'fromFile: { a: 1, list: [1] }\n',
    'web/text.txt': 'line\n',
    'web/crds/kinds.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: definition }\n',
    'web/templates/NOTES.txt': 'Installed: {{ .Release.Name }}',
    'web/templates/tests/probe.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: { name: probe, annotations: { helm.sh/hook: test } }\n',
    'web/templates/hooks.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: { name: before, annotations: { helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-weight: "-5" } }\n---\napiVersion: v1\nkind: Pod\nmetadata: { name: unknown, annotations: { helm.sh/hook: never } }\n',
  }
  const [, , , skipped = []] = await compareAll(files, [
    { releaseName: 'given', namespace: 'own' },
    { kubeVersion: '1.27.3-gke.100', apiVersions: ['example.com/v1', 'example.com/v1/Kind'] },
    { valueFiles: ['more.yaml'], values: 'fromFile: { list: [2, 3] }' },
    { skipCrds: true, skipTests: true },
    {
      parameters: [
        { name: 'a.b', value: '5' },
        { name: 'a.c[1]', value: 'true' },
        { name: 'list', value: '{x,y}' },
        { name: 'commas', value: 'x,y' },
        { name: 'text', value: '5', forceString: true },
        { name: 'api.port', value: 'null' },
      ],
    },
    { fileParameters: [{ name: 'script', path: 'text.txt' }] },
    { valuesObject: { a: { b: 'object' }, tags: { back: false } } },
  ])
  assert.equal(
    skipped.some((text) => text.includes('definition') || text.includes('probe')),
    false,
  )
})

test('files, functions and documents come out as they do of helm', async () => {
  await compareAll(
    {
      'web/Chart.yaml': chart('web', 'appVersion: "2.1"\nkubeVersion: ">=1.20-0"\n'),
      'web/.helmignore': 'config/*.bak\ntemplates/ignored.yaml\n',
      'web/values.yaml':
        'template: "{{ .Release.Name }}-{{ include \\"web.name\\" . }}"\nnested: { key: "{{ .Values.plain }}" }\nplain: ok\n',
      'web/config/a.conf': '\u{FEFF}marked\nplain\n',
      'web/config/b.bak': 'ignored\n',
      'web/templates/ignored.yaml': '{{ fail "ignored" }}',
      'web/templates/_names.tpl': '{{ define "web.name" }}{{ .Chart.Name | upper }}{{ end }}',
      'web/templates/files.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: files }
data:
  {{- (.Files.Glob "config/*").AsConfig | nindent 2 }}
  lines: {{ .Files.Lines "config/a.conf" | toJson | quote }}
  none: {{ .Files.Get "none" | quote }}
  tpl: {{ tpl .Values.template . | quote }}
  nested: {{ tpl (toYaml .Values.nested) . | quote }}
  lookup: {{ lookup "v1" "Secret" "x" "y" | toJson | quote }}
  host: {{ getHostByName "localhost" | quote }}
  zero: {{ .Values.missing | default "none" | quote }}
  sum: {{ include (print $.Template.BasePath "/other.yaml") . | sha256sum }}
  date: {{ dateInZone "2006-01-02" (toDate "2006-01-02" "2024-05-06") "UTC" }}
  toml: {{ toToml .Values.nested | quote }}
  has: {{ .Capabilities.APIVersions.Has "policy/v1" }}
  version: {{ semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version }}
`,
      'web/templates/other.yaml': `---
# only a comment
---

---
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "json"}}
---
apiVersion: v1
kind: Service
metadata:
    name: &name anchored
spec:
    selector:
    - not: a list
---
"apiVersion": v1
"kind": Secret
"metadata": {name: quoted}
---
---
apiVersion: v1
items:
- a
kind: ConfigMap
metadata:
# in between
  name: last
`.replace('    selector:\n    - not: a list\n', '    selector: { app: *name }\n'),
      'web/templates/empty.yaml': '{{ if false }}x{{ end }}\n',
    },
    [{}, { releaseName: 'second', values: 'plain: changed' }],
  )
})

test('umbrellas over one local chart, its vendored charts included, are one program, rendered fast after the first', async () => {
  const umbrella = (name: string) =>
    chart(name, 'dependencies:\n  - { name: base, version: 2.0.0, repository: file://../../base }\n')
  const files: Record<string, string> = {
    'base/Chart.yaml':
      'apiVersion: v2\nname: base\nversion: 2.0.0\ndependencies:\n  - { name: names, version: 1.0.0, alias: other }\n',
    'base/charts/names/Chart.yaml': chart('names'),
    'base/charts/names/templates/all.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ .Release.Name }}-{{ .Values.suffix }} }\n',
    'base/values.yaml': 'replicas: 1\nother: { suffix: given }\n',
    'base/templates/all.yaml': shown,
    'base/values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}',
  }
  const names = ['one', 'two', 'three']
  for (const name of names) {
    files[`apps/${name}/Chart.yaml`] = umbrella(name)
    files[`apps/${name}/values.yaml`] = `base: { name: ${name}, replicas: ${name.length} }\n`
  }
  await using fixture = new RenderFixture(tools, files)
  const { render, outcomes, messages } = guardForTests(fixture)
  for (const name of names) {
    const { manifests, record } = await render(testSource(`apps/${name}`))
    const byHelm = await fixture.render(testSource(`apps/${name}`))
    assert.deepEqual(manifests, byHelm.manifests)
    assert.deepEqual(record.commands, byHelm.record.commands)
    assert.match(manifests.join(), new RegExp(`name: ${name}`))
    assert.match(manifests.join(), /"name":"release-name-given"/)
  }
  assert.deepEqual(outcomes, ['equal', 'fast', 'fast'])
  fixture.write('apps/two/values.yaml', 'base: { replicas: many }\n')
  await assert.rejects(render(testSource('apps/two')), /helm template apps\/two.*replicas/s)
  fixture.write('base/templates/all.yaml', shown.replace('ConfigMap', 'Secret'))
  await render(testSource('apps/one'))
  assert.deepEqual(outcomes.slice(3), ['refused', 'equal'])
  assert.deepEqual(messages, [])
})

test('what a link in an umbrella leads to is a part of its program', async () => {
  const files = {
    'apps/one/Chart.yaml': chart('one'),
    'base/Chart.yaml': chart('base'),
    'base/templates/all.yaml': shown,
  }
  await using fixture = new RenderFixture(tools, files)
  fixture.link('apps/one/charts/base', '../../../base')
  const { render, outcomes } = guardForTests(fixture)
  await render(testSource('apps/one'))
  await render(testSource('apps/one'))
  fixture.write('base/templates/all.yaml', shown.replace('ConfigMap', 'Secret'))
  const { manifests } = await render(testSource('apps/one'))
  assert.deepEqual(outcomes, ['equal', 'fast', 'equal'])
  assert.match(manifests.join(), /"kind":"Secret"/)
})

test('of a key that a chart prints twice the last one is kept in both ways, with a warning', async () => {
  const labels =
    'labels:\n    app: first\n    {{- range .Values.more }}\n    {{ . }}: chart\n    {{- end }}\n'
  const files = {
    'web/Chart.yaml': chart('web'),
    'web/values.yaml': 'more: [app, app]\n',
    'web/templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  ${labels}`,
  }
  await using fixture = new RenderFixture(tools, files)
  const { render, outcomes } = guardForTests(fixture)
  const alone = await fixture.render(testSource('web'))
  for (const strict of [true, false]) {
    const { manifests, record } = await render(testSource('web'), strict)
    assert.deepEqual(manifests, alone.manifests)
    assert.deepEqual(record.warnings, alone.record.warnings)
  }
  assert.deepEqual(outcomes, ['equal', 'fast'])
  const [manifest = ''] = alone.manifests
  assert.deepEqual(JSON.parse(manifest).metadata, { name: 'a', labels: { app: 'chart' } })
  assert.deepEqual(
    alone.record.warnings,
    [9, 10].map(
      (line) =>
        `output of helm template web:${line}: duplicate key "app"; the last one is kept, as helm install does: remove one of the two`,
    ),
  )
})
