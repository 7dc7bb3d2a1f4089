import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'
import type { SourceOptions } from '../../../source/source.ts'
import { parseSetName } from '@wadi/params/values/set-name.ts'
import { describeSource, linesOf } from '../../../run/parameters-fixture.ts'
import { scalarText } from '../../../source/scalar-text.ts'

const tools = await testTools()

const chart = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'

const files = {
  'web/Chart.yaml': chart,
  'web/values.yaml': `# of the chart
image:
  repository: nginx
  tag: "1.20"
replicas: 2
ratio: 1.10
mode: 0o17
big: 9007199254740993
enabled: yes
empty: ""
nothing: ~
resources: {}
tolerations: []
hosts:
  - name: a.example.com
    paths: [/, /b]
  - name: b.example.com
podAnnotations:
  example.com/role: "on"
text: |
  one
  two
base: &base {a: 1, b: 2}
copy: *base
merged:
  <<: *base
  b: 3
`,
  'web/templates/values.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata:\n  values: {{ .Values | toJson | quote }}\n',
  'web/ci/values-test.yml': 'a: 1\n',
  'web/values/prod.yaml': 'a: 1\n',
  'web/my-values.yaml': 'a: 1\n',
}

test('every value of a chart is listed with its type, its text as it is written, and its line', async () => {
  await using fixture = new RenderFixture(tools, files)
  const { renderer, plugin, parameters, warnings } = await describeSource(fixture, testSource('web'))
  assert.deepEqual([renderer, plugin, warnings], ['helm', '', []])
  const values = parameters.filter(({ group }) => group === 'values')
  assert.deepEqual(linesOf(values), [
    'image.repository: string default "nginx" (chart web/values.yaml:3)',
    'image.tag: string default "1.20" (chart web/values.yaml:4)',
    'replicas: number default "2" (chart web/values.yaml:5)',
    'ratio: number default "1.10" (chart web/values.yaml:6)',
    'mode: number default "0o17" (chart web/values.yaml:7)',
    'big: number default "9007199254740993" (chart web/values.yaml:8)',
    'enabled: boolean default "true" (chart web/values.yaml:9)',
    'empty: string default "" (chart web/values.yaml:10)',
    'nothing: string',
    'resources: yaml default "{}" (chart web/values.yaml:12)',
    'tolerations: yaml default "[]" (chart web/values.yaml:13)',
    'hosts[0].name: string default "a.example.com" (chart web/values.yaml:15)',
    'hosts[0].paths[0]: string default "/" (chart web/values.yaml:16)',
    'hosts[0].paths[1]: string default "/b" (chart web/values.yaml:16)',
    'hosts[1].name: string default "b.example.com" (chart web/values.yaml:17)',
    String.raw`podAnnotations.example\.com/role: string default "on" (chart web/values.yaml:19)`,
    'text: multiline-string default "one\\ntwo\\n" (chart web/values.yaml:20)',
    'base.a: number default "1" (chart web/values.yaml:23)',
    'base.b: number default "2" (chart web/values.yaml:23)',
    'copy.a: number default "1" (chart web/values.yaml:23)',
    'copy.b: number default "2" (chart web/values.yaml:23)',
    'merged.a: number default "1" (chart web/values.yaml:23)',
    'merged.b: number default "3" (chart web/values.yaml:27)',
  ])
})

test('the options of Helm come first, with the value files that there are to choose from', async () => {
  await using fixture = new RenderFixture(tools, {
    ...files,
    'web/.argocd-source.yaml':
      'helm:\n  valueFiles: [my-values.yaml]\n  releaseName: r\n  skipTests: true\n  fileParameters:\n  - {name: f, path: my-values.yaml}\n',
  })
  const source = testSource('web', { helm: { values: 'a: 1\n', apiVersions: ['v1'] } }, 'team')
  const { parameters, warnings } = await describeSource(fixture, source)
  const options = parameters.filter(({ group }) => group !== 'values')
  assert.deepEqual(linesOf(options), [
    'value-files: string = ["my-values.yaml"] (git web/.argocd-source.yaml:2)',
    'values: multiline-string = "a: 1\\n" (application)',
    'release-name: string = "r" (git web/.argocd-source.yaml:3)',
    'namespace: string default "team" (application)',
    'kube-version: string',
    'api-versions: string = ["v1"] (application)',
    'skip-crds: boolean default "false" (nowhere)',
    'skip-tests: boolean = "true" (git web/.argocd-source.yaml:4) default "false" (nowhere)',
    'skip-schema-validation: boolean default "false" (nowhere)',
    'pass-credentials: boolean default "false" (nowhere)',
    'ignore-missing-value-files: boolean default "false" (nowhere)',
    'file-parameters: string = {f: my-values.yaml} (git web/.argocd-source.yaml:6)',
  ])
  assert.deepEqual(options[0]?.options, [
    'ci/values-test.yml',
    'my-values.yaml',
    'templates/values.yaml',
    'values.yaml',
  ])
  assert.equal(options[0]?.collection, 'array')
  assert.deepEqual(warnings, ['values set from files by fileParameters are not listed: f'])
})

const layered = {
  ...files,
  'env/one.yaml':
    'image: {tag: from-one, digest: abc}\nreplicas: 3\nhosts: [{name: c.example.com}]\nresources: {}\nextra: 1\n',
  'env/two.yaml': '# two\nimage:\n  tag: from-two\npodAnnotations: null\nresources:\n  limits: {cpu: 100m}\n',
  'web/.argocd-source.yaml': `helm:
  valueFiles: [../env/one.yaml, ../env/two.yaml]
  valuesObject:
    image:
      repository: from-object
    ratio: 1.5
  parameters:
  - name: image.tag
    value: from-parameter
  - name: big
    value: "12"
    forceString: true
  - name: tolerations[1].key
    value: "{a,b\\\\,c}"
  - name: 'podLabels.example\\.com/a'
    value: "null"
  - name: nothing
    value: "TRUE"
`,
}

test('what is set stands with the last place that sets it, and values that the chart has not follow', async () => {
  await using fixture = new RenderFixture(tools, layered)
  const { parameters } = await describeSource(fixture, testSource('web'))
  const set = parameters.filter(({ group, value }) => group === 'values' && value !== undefined)
  assert.deepEqual(linesOf(set), [
    'image.repository: string = "from-object" (git web/.argocd-source.yaml:5) default "nginx" (chart web/values.yaml:3)',
    'image.tag: string = "from-parameter" (git web/.argocd-source.yaml:8) default "1.20" (chart web/values.yaml:4)',
    'replicas: number = "3" (file env/one.yaml:2) default "2" (chart web/values.yaml:5)',
    'ratio: number = "1.5" (git web/.argocd-source.yaml:6) default "1.10" (chart web/values.yaml:6)',
    'big: number = "12" (git web/.argocd-source.yaml:10) default "9007199254740993" (chart web/values.yaml:8)',
    'nothing: boolean = "TRUE" (git web/.argocd-source.yaml:17)',
    'resources.limits.cpu: string = "100m" (file env/two.yaml:6)',
    'tolerations[1].key[0]: string = "a" (git web/.argocd-source.yaml:13)',
    'tolerations[1].key[1]: string = "b,c" (git web/.argocd-source.yaml:13)',
    'hosts[0].name: string = "c.example.com" (file env/one.yaml:3) default "a.example.com" (chart web/values.yaml:15)',
    'podAnnotations: string = "null" (file env/two.yaml:4)',
    'image.digest: string = "abc" (file env/one.yaml:1) unknown',
    'extra: number = "1" (file env/one.yaml:5) unknown',
    String.raw`podLabels.example\.com/a: string = "null" (git web/.argocd-source.yaml:15) unknown`,
  ])
  const names = parameters.map(({ name }) => name)
  assert.ok(!names.includes('hosts[1].name'), 'the list of the file replaces that of the chart')
  assert.ok(!names.includes('resources'))
})

const renderedWith: [what: string, options: SourceOptions][] = [
  ['files and parameters', {}],
  ['values', { helm: { values: 'image: {tag: 3}\nresources: null\nmerged: {b: {c: 1}}\ntext: [1]\n' } }],
  [
    'odd parameters',
    {
      helm: {
        parameters: [
          { name: 'a', value: '007' },
          { name: 'b', value: '+5' },
          { name: 'c', value: '1.50' },
          { name: 'd', value: 'x,y' },
          { name: 'e', value: '{}' },
          { name: 'f', value: '' },
          { name: 'g.h[0][1]', value: '0' },
          { name: String.raw`i\,j\=k\[l\]`, value: String.raw`a\b` },
          { name: 'image', value: 'null' },
          { name: 'hosts[1].name', value: 'false' },
          { name: 'replicas', value: '9', forceString: true },
          { name: 'replicas', value: '8' },
        ],
      },
    },
  ],
]

for (const [what, options] of renderedWith) {
  test(`the listed values are those that Helm renders with: ${what}`, async () => {
    const shown = what === 'files and parameters' ? layered : files
    await using fixture = new RenderFixture(tools, shown)
    const source = testSource('web', options)
    const { parameters } = await describeSource(fixture, source)
    const { manifests } = await fixture.render(source)
    const text: unknown = JSON.parse(manifests.join(''))
    const data = isJsonObject(text) && isJsonObject(text['data']) ? text['data']['values'] : undefined
    const rendered: unknown = JSON.parse(String(data))
    const seen: string[] = []
    for (const { name = '', group, value, default: normal } of parameters) {
      if (group !== 'values') continue
      const path = parseSetName(name) ?? []
      const actual = path.reduce<unknown>((node, step) => Object(node)[step], rendered)
      const { kind } = value ?? normal ?? {}
      const expected = kind?.case === 'text' ? kind.value : 'null'
      seen.push(name)
      assert.equal(normalText(actual), normalText(expected), name)
    }
    assert.ok(seen.length > 20)
    assert.deepEqual(
      leafNames(rendered, '').filter((name) => !seen.includes(name)),
      [],
    )
  })
}

/** Helm's reader knows more ways of writing numbers than JSON, and drops what is null. */
function normalText(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = scalarText(value)
  if (/^(true|false|null)$/i.test(text)) return text.toLowerCase()
  return text !== '' && !Number.isNaN(Number(text)) ? String(Number(text)) : text
}

function leafNames(value: unknown, name: string): string[] {
  if (value === null) return []
  if (typeof value !== 'object' || Object.keys(value).length === 0) return [name]
  return Object.entries(value).flatMap(([key, item]) => {
    if (Array.isArray(value)) return leafNames(item, `${name}[${key}]`)
    const escaped = key.replaceAll(/[\\.[\],=]/g, String.raw`\$&`)
    return leafNames(item, name === '' ? escaped : `${name}.${escaped}`)
  })
}

test('subcharts bring their defaults below their names, and packed ones are named', async () => {
  await using fixture = new RenderFixture(tools, {
    'top/Chart.yaml': `${chart}dependencies:
- {name: cache, version: 1.0.0, repository: "file://../cache", alias: store}
- {name: inner, version: 1.0.0}
- {name: packed, version: 1.0.0}
`,
    'top/values.yaml': 'store: {size: 5}\n',
    'top/charts/inner/Chart.yaml': chart.replace('web', 'inner'),
    'top/charts/inner/values.yaml': 'a: 1\nglobal: {x: 1}\n',
    'top/charts/packed-1.0.0.tgz': 'not read',
    'cache/Chart.yaml': chart.replace('web', 'cache'),
    'cache/values.yaml': 'size: 1\nport: 80\n',
  })
  const { parameters, warnings } = await describeSource(fixture, testSource('top'))
  assert.deepEqual(linesOf(parameters.filter(({ group }) => group === 'values')), [
    'store.size: number default "5" (chart top/values.yaml:1)',
    'store.port: number default "80" (chart cache/values.yaml:2)',
    'inner.a: number default "1" (chart top/charts/inner/values.yaml:1)',
    'inner.global.x: number default "1" (chart top/charts/inner/values.yaml:2)',
  ])
  assert.deepEqual(warnings, ['defaults of subcharts that are packed or elsewhere are not listed: packed'])
})

test('a dependency in requirements.yaml brings its defaults below its alias', async () => {
  await using fixture = new RenderFixture(tools, {
    'top/Chart.yaml': chart,
    'top/requirements.yaml':
      'dependencies:\n- {name: cache, version: 1.0.0, repository: "file://../cache", alias: store}\n',
    'cache/Chart.yaml': chart.replace('web', 'cache'),
    'cache/values.yaml': 'size: 1\n',
  })
  const { parameters } = await describeSource(fixture, testSource('top'))
  assert.deepEqual(linesOf(parameters.filter(({ group }) => group === 'values')), [
    'store.size: number default "1" (chart cache/values.yaml:1)',
  ])
})

test('a chart with too many values is listed in part, and a value named like an option is pointed out', async () => {
  const many = Array.from({ length: 20_050 }, (_, index) => `v${index}: ${index}\n`).join('')
  await using fixture = new RenderFixture(tools, { ...files, 'web/values.yaml': `namespace: x\n${many}` })
  const { parameters, warnings } = await describeSource(fixture, testSource('web'))
  assert.equal(parameters.filter(({ group }) => group === 'values').length, 20_000)
  assert.deepEqual(warnings, [
    'the chart has more than 20000 values; the first 20000 are listed',
    String.raw`"namespace" names the option; the value of the chart of this name is set as "\namespace"`,
  ])
})

test('a values.yaml that is not YAML is an error with file and line', async () => {
  await using fixture = new RenderFixture(tools, { ...files, 'web/values.yaml': 'a: 1\nb: [\n' })
  await assert.rejects(describeSource(fixture, testSource('web')), {
    name: 'InvalidInputError',
    message: /^web\/values\.yaml:\d/,
  })
})
