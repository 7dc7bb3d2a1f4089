import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonText } from '@wadi/params/values/value-json.ts'
import { memoryFiles } from './memory-files-fixture.ts'
import { manifestsOf, packageText, planOf, rejectionOf, renderOf } from './package-fixture.ts'
import type { PackagePlan, PlanOptions } from './plan/plan-package.ts'
import { sampleValues } from './values/sample-values.ts'

const resources = 'limits: {memory: 128Mi, cpu: 100m}, requests: {memory: 64Mi}'
const values = `my-component: {resources: {${resources}}}\nother-component: {disabled: true}\n`
const defaults = 'values: {files: [v.yaml]}\n'
const manifest = '    manifests: [{name: m, namespace: n, template: true, files: [m.yaml]}]\n'

const chartFiles = { 'p/chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' }

/** A package with one chart and its mappings. */
function chartPackage(mappings: string, head = defaults, more = ''): Record<string, string> {
  const chart = `    charts: [{name: web, namespace: n, localPath: chart${more}, values: [${mappings}]}]\n`
  return { ...chartFiles, 'p/zarf.yaml': packageText(chart, head), 'p/v.yaml': values }
}

/** Returns what is mapped into the only chart of a plan, as JSON. */
function mappedInto({ items }: PackagePlan): string {
  const [chart] = items
  assert.ok(chart?.kind === 'chart')
  return jsonText(chart.values)
}

async function mapped(content: Record<string, string>, options: PlanOptions = {}): Promise<unknown> {
  return JSON.parse(mappedInto(await planOf(content, options)))
}

const wholeResources = {
  resources: { limits: { memory: '128Mi', cpu: '100m' }, requests: { memory: '64Mi' } },
}
const toResources = '{sourcePath: .my-component.resources, targetPath: .resources}'

test('story 1: values files of the configuration, in YAML or TOML, reach the chart as a whole tree', async () => {
  const content = chartPackage(toResources, '')
  const yaml = 'package:\n  deploy:\n    values:\n      - v.yaml\n'
  assert.deepEqual(await mapped({ ...content, 'p/zarf-config.yaml': yaml }), wholeResources)
  const toml = '[package.deploy]\nvalues = ["v.yaml"]\n'
  assert.deepEqual(await mapped({ ...content, 'p/zarf-config.toml': toml }), wholeResources)
  assert.match(
    await rejectionOf(content),
    /chart "web": maps undefined value \.my-component\.resources to \.resources/,
  )
})

test('story 1: values files that are given with a call reach the chart as well', async () => {
  const given = { valuesFiles: [{ path: 'mine.yaml', text: values }] }
  assert.deepEqual(await mapped(chartPackage(toResources, ''), given), wholeResources)
})

test('story 2: an action whose template has its values is left out and reported', async () => {
  const action = (field: string) =>
    packageText(
      `    actions: {onDeploy: {before: [{cmd: 'echo "{{ .Values.${field} }}"', template: true}]}}\n`,
      'values: {files: [v.yaml], schema: s.json}\n',
    )
  const content = { 'p/v.yaml': values, 'p/s.json': '{"required": ["my-component"]}' }
  const planned = await planOf({ ...content, 'p/zarf.yaml': action('my-component.resources.limits.memory') })
  assert.deepEqual(planned.items, [])
  assert.deepEqual(
    planned.skippedActions.map(({ stage, sets }) => [stage, sets]),
    [['before', []]],
  )
  assert.match(
    await rejectionOf({ ...content, 'p/zarf.yaml': action('my-component.gone') }),
    /references undefined value \.Values\.my-component\.gone/,
  )
})

test('an action without template: true keeps its braces, which mean something to other tools', async () => {
  const component = `    actions: {onDeploy: {before: [{cmd: "docker ps --format '{{ .ID }}'"}]}}\n`
  const { skippedActions } = await planOf({ 'p/zarf.yaml': packageText(component) })
  assert.deepEqual(
    skippedActions.map(({ label }) => label),
    ["docker ps --format '{{ .ID }}'"],
  )
})

const threeComponents = (setting: string) =>
  `kind: ZarfPackageConfig\nmetadata: {name: p}\nx-wadi: {actions: sandbox}\ncomponents:
  - {name: first, required: true, manifests: [{name: m, template: true, files: [m.yaml]}]}
  - name: second
    required: true
    actions: {onDeploy: {before: [{cmd: echo, setValues: [${setting}]}]}}
    manifests: [{name: m, template: true, files: [m.yaml]}]
  - {name: third, required: true, manifests: [{name: m, template: true, files: [m.yaml]}]}
`

test('story 3: components before setValues see the files, those from it on see the output', async () => {
  const content = {
    'p/v.yaml': values,
    'p/zarf-config.yaml': 'package: {deploy: {values: [v.yaml]}}\n',
    'p/m.yaml': '{{ index .Values "my-component" "resources" "limits" | toJson }}\n',
  }
  const run = (): Promise<string> => Promise.resolve('{ "memory": "256Mi", "cpu": "200m" }\n')
  for (const name of ['path: my-component.resources.limits', 'key: .my-component.resources.limits']) {
    const text = threeComponents(`{${name}, type: json}`)
    const planned = await planOf({ ...content, 'p/zarf.yaml': text }, { run })
    const [before, during, after] = manifestsOf(planned).split('---\n')
    assert.equal(before, '{"cpu":"100m","memory":"128Mi"}\n', name)
    assert.equal(during, '{"cpu":"200m","memory":"256Mi"}\n', name)
    assert.equal(after, during, name)
    const isReported = planned.warnings.some(({ message }) => message.includes('write key: .my-component'))
    assert.equal(isReported, name.startsWith('path'), name)
  }
})

test('output is a text, JSON or YAML, as its type says', async () => {
  const outputOf = async (type: string, output: string): Promise<string> => {
    const text = threeComponents(`{key: .v${type}}`).replace(/ {2}- \{name: first.*\n/, '')
    const content = { 'p/zarf.yaml': text, 'p/m.yaml': '{{ .Values.v | toJson }}\n' }
    return (await renderOf(content, { run: () => Promise.resolve(output) })).split('---\n')[0] ?? ''
  }
  assert.equal(await outputOf('', ' {"a": 1} \n'), '"{\\"a\\": 1}"\n')
  assert.equal(await outputOf(', type: string', '7\n'), '"7"\n')
  assert.equal(await outputOf(', type: json', '{"a": [1]}'), '{"a":[1]}\n')
  assert.equal(await outputOf(', type: yaml', 'a:\n- 1\n'), '{"a":[1]}\n')
})

test('story 4: manifests and files are templates if they are marked so, and stay as they are otherwise', async () => {
  const template =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  {{- .Values.my-component.resources.limits | toYaml | nindent 2 }}\n'
  const component = (flag: string) =>
    `    manifests: [{name: m, namespace: n, files: [m.yaml]${flag}}]\n    files: [{source: m.yaml, target: out.yaml${flag}}]\n`
  const content = { 'p/v.yaml': values, 'p/m.yaml': template }
  const rendered =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  cpu: 100m\n  memory: 128Mi\n'

  const planned = await planOf({
    ...content,
    'p/zarf.yaml': packageText(component(', template: true'), defaults),
  })
  assert.equal(manifestsOf(planned), rendered)
  assert.deepEqual(
    planned.files.map(({ path, text }) => [path, text]),
    [['files/out.yaml', rendered]],
  )

  const verbatim = await planOf({ ...content, 'p/zarf.yaml': packageText(component(''), defaults) })
  assert.equal(manifestsOf(verbatim), template)
  assert.deepEqual(verbatim.files, [])
})

test('only what is mapped reaches a chart, and a single dot is the whole tree on either side', async () => {
  assert.deepEqual(await mapped(chartPackage('{sourcePath: .other-component, targetPath: .a.b}')), {
    a: { b: { disabled: true } },
  })
  assert.deepEqual(await mapped(chartPackage('{sourcePath: .my-component, targetPath: .}')), wholeResources)
  const all = { 'my-component': wholeResources, 'other-component': { disabled: true } }
  assert.deepEqual(await mapped(chartPackage('{sourcePath: ., targetPath: .}')), all)
})

test('of two mappings to one target maps are merged, and of anything else the last wins', async () => {
  const content = chartPackage('{sourcePath: .a, targetPath: .r}, {sourcePath: .b, targetPath: .r}')
  content['p/v.yaml'] = 'a: {one: 1, list: [1, 2], both: a}\nb: {list: [3], both: b}\n'
  assert.deepEqual(await mapped(content), { r: { one: 1, list: [3], both: 'b' } })
  content['p/v.yaml'] = 'a: {one: 1}\nb: text\n'
  assert.deepEqual(await mapped(content), { r: 'text' })
})

test('mapped values win over those that variables set', async () => {
  const variables =
    ', variables: [{name: V, description: d, path: r.x}, {name: V, description: d, path: r.y}]'
  const content = chartPackage(
    '{sourcePath: .other-component, targetPath: .r.x}',
    `${defaults}variables: [{name: V, default: old}]\n`,
    variables,
  )
  assert.deepEqual(await mapped(content), { r: { x: { disabled: true }, y: 'old' } })
})

test('values of an importing package win over those of what it imports, for all components', async () => {
  const child =
    'kind: ZarfPackageConfig\nmetadata: {name: c}\nvalues: {files: [v.yaml]}\ncomponents:\n  - name: c\n'
  const content = {
    'child/zarf.yaml': `${child}${manifest}`,
    'child/v.yaml': 'a: child\nb: child\n',
    'child/m.yaml': '{{ .Values.a }} {{ .Values.b }}\n',
    'p/zarf.yaml': `${packageText('    import: {path: ../child}\n', defaults)}  - {name: d, required: true, manifests: [{name: m, template: true, files: [../child/m.yaml]}]}\n`,
    'p/v.yaml': 'a: parent\n',
  }
  assert.equal(await renderOf(content), 'parent child\n---\nparent child\n')
})

test("a schema is merged with those of imports: the importing package's keywords take precedence, the rest stays", async () => {
  const draft = '"$schema": "http://json-schema.org/draft-07/schema#"'
  const child =
    'kind: ZarfPackageConfig\nmetadata: {name: c}\nvalues: {schema: s.json}\ncomponents:\n  - {name: c}\n'
  const content = {
    'child/zarf.yaml': child,
    'child/s.json': `{${draft}, "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["c"]}`,
    'p/zarf.yaml': packageText(
      '    import: {path: ../child}\n',
      'values: {files: [v.yaml], schema: s.json}\n',
    ),
    'p/v.yaml': 'a: text\nb: 5\n',
    'p/s.json': `{${draft}, "properties": {"a": {"type": "string"}}, "required": ["d"]}`,
  }
  const message = await rejectionOf(content)
  assert.match(
    message,
    /p\/v\.yaml:2:1: values validation failed: .*\nb: Invalid type\. Expected: string, given: integer/,
  )
  assert.match(message, /\(root\): c is required/)
  assert.match(message, /\(root\): d is required/)
  assert.doesNotMatch(message, /\ba: Invalid type/)
})

test('values files are YAML in the repository, nothing else', async () => {
  const naming = (path: string) => ({
    'p/zarf.yaml': packageText('', `values: {files: ["${path}"]}\n`),
    'p/v.json': '{}',
    'p/v.toml': '',
  })
  for (const path of ['v.json', 'v.toml']) {
    assert.match(
      await rejectionOf(naming(path)),
      /^p\/zarf\.yaml:3:19: invalid file extension for values file p\/v\./,
    )
  }
  assert.match(
    await rejectionOf(naming('https://example.com/v.yaml')),
    /^p\/zarf\.yaml:3:19: remote values files not yet supported, url=https:\/\/example\.com\/v\.yaml: add a copy to the repository$/,
  )
})

test('actions of a creation get no values, and those of a removal are nobody’s to run', async () => {
  const component = (stage: string, more: string) =>
    packageText(`    actions: {${stage}: {before: [{cmd: 'echo {{ .Values.gone }}'${more}}]}}\n`)
  assert.match(
    await rejectionOf({ 'p/zarf.yaml': component('onCreate', ', template: true') }),
    /templating is not supported in onCreate actions/,
  )
  assert.match(
    await rejectionOf({ 'p/zarf.yaml': component('onCreate', ', setValues: [{key: .a}]') }),
    /setValues is not supported in onCreate actions/,
  )
  const removal = component('onRemove', ', template: true, setValues: [{key: .a}]')
  const planned = await planOf({
    'p/zarf.yaml': removal,
    'p/zarf-config.yaml': 'package: {remove: {values: [gone.yaml], set_values: {a: 1}}}\n',
  })
  assert.deepEqual(planned.skippedActions, [])
  assert.ok(planned.warnings.some(({ message }) => message.startsWith('1 action is not part of')))
})

test('a sample of the values that can be set is the merged defaults', async () => {
  const content = { 'p/zarf.yaml': packageText('', defaults), 'p/v.yaml': 'b: {c: 1}\na: x\n' }
  assert.equal(await sampleValues(memoryFiles(content), 'p'), 'a: x\nb:\n  c: 1\n')
})

test('settings of the configuration win over its files, and keep their order and the case of their keys', async () => {
  const content = chartPackage('{sourcePath: ., targetPath: .}')
  content['p/v.yaml'] = 'a: {x: 1}\n'
  content['p/zarf-config.yaml'] = 'package: {deploy: {set_values: {a.Y: "2", .a.z: text, B: true}}}\n'
  assert.deepEqual(await mapped(content), { a: { x: 1, Y: 2, z: 'text' }, B: true })
  content['p/zarf-config.yaml'] = 'package:\n  deploy:\n    set_values:\n      a: 1\n      a.b: 2\n'
  assert.equal(
    await rejectionOf(content),
    'p/zarf-config.yaml:5:7: conflict at "a", expected map but got uint64',
  )
})
