import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { changesOf, editSource } from '../../../run/parameters-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'

const tools = await testTools()

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  tag: {{ .Values.image.tag | quote }}
  port: {{ .Values.service.nodePort | default 1 | quote }}
  more: {{ $.Values.more | default "" | quote }}
  {{- with .Values.probe }}
  path: {{ .path | default "" | quote }}
  {{- end }}
  {{- with .Values.resources }}
  resources: {{ toYaml . | quote }}
  {{- end }}
  {{- if .Values.ingress }}
  host: {{ index .Values "ingress" "host" | quote }}
  {{- end }}
  {{- /* .Values.commented and .Values.image as a whole */}}
`

const chart = {
  'web/Chart.yaml':
    'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n- {name: db, version: 1.0.0, condition: "features.db,db.enabled", tags: [back]}\n',
  'web/values.yaml':
    'replicas: 1\nimage: {tag: "1"}\nservice: {port: 80}\nprobe: {port: 80}\nresources: {cpu: 1}\ningress: {name: a}\nlabels: {}\nlist: []\nnothing: null\n',
  'web/templates/cm.yaml': template,
  'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'web/charts/db/values.yaml': 'size: 1\n',
  'web/charts/db/templates/cm.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: db}\ndata: {a: "{{ .Values.inner }}"}\n',
}

function doubt(name: string): string {
  return `${name}: the chart has no such value and no template reads one, so it changes nothing; correct or remove it`
}

async function edited(
  word: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ problems: readonly string[]; warnings: readonly string[] }> {
  await using fixture = new RenderFixture(tools, { ...chart, ...more })
  const { problems, warnings, after } = await editSource(fixture, testSource('web'), changesOf(word))
  assert.notEqual(after, '')
  return { problems, warnings }
}

for (const name of [
  'nowhere',
  'nowhere.at.all',
  'image.platform',
  'service.sessions',
  'probe.other',
  'ingress.paths',
  'commented',
  'inner',
  'metadata.name',
]) {
  test(`${name}, which the chart does not have, is set with a warning`, async () => {
    assert.deepEqual(await edited(`${name}=x`), { problems: [], warnings: [doubt(name)] })
  })
}

for (const name of [
  'replicas',
  'global.x',
  'service.nodePort',
  'more',
  'more.below',
  'probe.path',
  'resources.gpu',
  'ingress.host',
  'labels.x',
  'nothing',
  'nothing.x',
  'db.enabled',
  'db.other.thing',
  'features.db',
  'tags.back',
]) {
  test(`${name}, which something of the chart may read, is set without a warning`, async () => {
    assert.deepEqual(await edited(`${name}=x`), { problems: [], warnings: [] })
  })
}

const dotted = (name: string, meant: string) =>
  `${name}: each dot ends a key; write one in a key as "\\.", as in ${meant}`
const withDots = {
  'web/values.yaml':
    'image: {tag: "1"}\nnotes: {example.com/version: "1", plain: {a.b: {c.d: 1}}}\nlabels: {}\n"a.b": 1\nservice: {nodePort: 1}\n',
}
for (const [name, meant] of [
  ['notes.example.com/version', String.raw`notes.example\.com/version`],
  ['notes.plain.a.b.c.d', String.raw`notes.plain.a\.b.c\.d`],
  ['a.b', String.raw`a\.b`],
] as const) {
  test(`${name} is almost the key with dots that the chart has`, async () => {
    assert.deepEqual(await edited(`${name}=x`, withDots), { problems: [dotted(name, meant)], warnings: [] })
  })
}

for (const [name, meant] of [
  ['labels.sidecar.istio.io/inject', String.raw`labels.sidecar\.istio\.io/inject`],
  ['notes.other.com/a', String.raw`notes.other\.com/a`],
  [String.raw`labels.sidecar\.istio\.io/inject`, undefined],
  [String.raw`notes.example\.com/version`, undefined],
  ['labels.io/inject', undefined],
  ['image.tag', undefined],
] as const) {
  test(`${name} is set ${meant === undefined ? 'without a warning' : 'with a warning about its dots'}`, async () => {
    const warnings = meant === undefined ? [] : [dotted(name, meant)]
    assert.deepEqual(await edited(`${name}=x`, withDots), { problems: [], warnings })
  })
}

for (const [schema, name, isAllowed] of [
  [{ properties: { nowhere: { type: 'string' } } }, 'nowhere', true],
  [{ properties: { image: { additionalProperties: { type: 'string' } } } }, 'image.platform', true],
  [{ properties: { image: { type: 'object' } } }, 'image.platform', true],
  [{ properties: { image: { patternProperties: { '^plat': {} } } } }, 'image.platform', true],
  [{ properties: { image: { patternProperties: { '^x-': {} } } } }, 'image.platform', false],
  [
    { properties: { image: { $ref: '#/$defs/i' } }, $defs: { i: { properties: { platform: {} } } } },
    'image.platform',
    true,
  ],
  [
    { properties: { image: { $ref: '#/$defs/i' } }, $defs: { i: { properties: { os: {} } } } },
    'image.platform',
    false,
  ],
  [
    { allOf: [{ properties: { image: { anyOf: [{ properties: { platform: {} } }] } } }] },
    'image.platform',
    true,
  ],
  [{ properties: { image: { properties: { tag: {} } } } }, 'image.platform', false],
  [{ type: 'object' }, 'nowhere', false],
  [{ $ref: '#' }, 'nowhere', true],
] satisfies [JsonValue, string, boolean][]) {
  test(`the schema ${manifestToJson(schema)} ${isAllowed ? 'allows' : 'does not know'} ${name}`, async () => {
    const { warnings } = await edited(`${name}=x`, { 'web/values.schema.json': manifestToJson(schema) })
    assert.deepEqual(warnings, isAllowed ? [] : [doubt(name)])
  })
}

test('a chart whose dependencies are packed, or whose templates pass all values on, is given the benefit of the doubt', async () => {
  for (const expression of [
    'toYaml .Values | quote',
    'include "all" (dict "v" .Values)',
    '(index .Values $.Chart.Name)',
  ]) {
    const { warnings } = await edited('nowhere=x', { 'web/templates/more.yaml': `{{ ${expression} }}` })
    const isLookup = expression.includes('index')
    assert.deepEqual(warnings, isLookup ? [doubt('nowhere')] : [], expression)
  }
  const { warnings } = await edited('nowhere=x', {
    'web/Chart.yaml':
      'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies:\n- {name: lib, version: 1.0.0}\n',
    'web/charts/lib-1.0.0.tgz': 'packed',
  })
  assert.deepEqual(warnings, [])
})

test('what a value reads as a template of its own is in use', async () => {
  const files = { 'web/.argocd-source.yaml': 'helm:\n  valuesObject: {more: "x.{{ .Values.nowhere }}"}\n' }
  assert.deepEqual((await edited('nowhere=x', files)).warnings, [])
})

test('a key of an object that a template goes through is not taken for the same key elsewhere', async () => {
  const files = {
    'web/templates/range.yaml': '{{ range $name, $one := .Values.routes }}{{ $one.tag }}{{ end }}\n',
    'web/values.yaml': 'image: {tag: "1"}\nroutes: {main: {tag: "2"}}\n',
  }
  assert.deepEqual(await edited('routes.other.port=x', files), { problems: [], warnings: [] })
  assert.deepEqual(await edited('routes.other.x.tag=x', files), { problems: [], warnings: [] })
  assert.deepEqual(await edited('route.main.tag=x', files), {
    problems: ['route.main.tag: the chart has no such value; did you mean image.tag, routes.main.tag?'],
    warnings: [],
  })
})

test('the helpers of a subchart read the values of the chart that calls them', async () => {
  const helper = { 'web/charts/db/templates/_h.tpl': '{{ define "h" }}{{ .Values.nowhere }}{{ end }}' }
  assert.deepEqual((await edited('nowhere=x', helper)).warnings, [])
})

test('a parameter without use in any option warns with every render, and what a values file sets does not', async () => {
  await using fixture = new RenderFixture(tools, chart)
  const of = async (helm: object): Promise<string[]> =>
    (await fixture.render(testSource('web', { helm: { releaseName: 'w', ...helm } }))).record.warnings
  const parameters = [
    { name: 'nowhere', value: '1' },
    { name: 'replicsa', value: '1' },
    { name: 'more', value: '1' },
  ]
  const warnings = await of({ parameters })
  const expected = [
    'parameter replicsa: the chart has no such value; did you mean replicas?',
    `parameter ${doubt('nowhere')}`,
  ]
  assert.deepEqual(warnings, expected)
  assert.deepEqual(await of({ valuesObject: { nowhere: 1 } }), [])
  fixture.write('web/.argocd-source.yaml', 'helm:\n  parameters: [{name: nowhere, value: "1"}]\n')
  assert.deepEqual(await of({}), [`parameter ${doubt('nowhere')}`])
})
