import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonText } from '@wadi/params/values/value-json.ts'
import {
  manifestsOf,
  packageText,
  planOf,
  rejectionOf,
  renderOf,
  templatePackage,
} from '../package-fixture.ts'

const show = '{{ .Values.x }}'

test('values win in the order of imports, own files, configuration, call and operator', async () => {
  const imported = {
    'base/zarf.yaml':
      'kind: ZarfPackageConfig\nmetadata: {name: b}\nvalues: {files: [v.yaml]}\ncomponents: [{name: c}]\n',
    'base/v.yaml': 'x: {import: 1, all: import}\n',
  }
  const manifests =
    '    import: {path: ../base}\n    manifests: [{name: m, template: true, files: [m.yaml]}]\n'
  const content = {
    ...imported,
    'p/zarf.yaml': packageText(manifests, 'values: {files: [one.yaml, two.yaml]}\n'),
    'p/m.yaml': show,
    'p/one.yaml': 'x: {one: 1, all: one}\n',
    'p/two.yaml': 'x: {two: 1, all: two}\n',
    'p/zarf-config.yaml':
      'package:\n  deploy:\n    values: [config.yaml]\n    set_values: {x.set: "true", .x.all: set, x.Case: 07, x.n: "7"}\n',
    'p/config.yaml': 'x: {config: 1, all: config}\n',
  }
  assert.equal(await renderOf(content), 'map[Case:7 all:set config:1 import:1 n:7 one:1 set:true two:1]\n')
  const called = {
    valuesFiles: [{ path: 'mine.yaml', text: 'x: {all: call, mine: 1}' }],
    setValues: ['x.all=flag,x.flag=1'],
  }
  assert.match(await renderOf(content, called), /all:flag .*flag:1 .*mine:1/)
  const at = { file: 'platform.yaml', line: 3 }
  const operatorValues = { value: new Map([['x', new Map([['all', 'operator']])]]), at }
  const planned = await planOf(content, { ...called, operatorValues })
  assert.match(manifestsOf(planned), /all:operator/)
  const why = planned.values.why(['x', 'all'])
  assert.deepEqual(why?.winner.at, at)
  assert.deepEqual(
    why?.overridden.map(({ value }) => value),
    ['flag', 'call', 'set', 'config', 'two', 'one', 'import'],
  )
})

test('the configuration may be TOML and its keys keep their case', async () => {
  const content = {
    ...templatePackage('{{ .Values.Big.Key }} {{ .Variables.NAME }} {{ kindOf .Values.n }}', 'n: 1\n'),
    'p/zarf-config.toml':
      '[package.deploy.set]\nname = "toml"\n[package.deploy.set_values]\n"Big.Key" = "x"\n',
  }
  assert.equal(await renderOf(content), 'x toml uint64\n')
  const broken = { ...content, 'p/zarf-config.toml': '[package\n' }
  assert.match(await rejectionOf(broken), /^p\/zarf-config\.toml:1:9: /)
})

test('variables and constants reach markers and templates, markers first', async () => {
  const head =
    'values: {files: [v.yaml]}\nvariables: [{name: V, default: "{{ .Values.a.b }}"}, {name: F, type: file, default: f.txt}]\n' +
    'constants: [{name: K, value: "###ZARF_VAR_V###", pattern: "^#"}]\n'
  const manifests =
    '    manifests: [{name: m, template: true, files: [m.yaml]}, {name: n, files: [m.yaml]}]\n'
  const content = {
    'p/zarf.yaml': packageText(manifests, head),
    'p/v.yaml': 'a: {b: 1}\n',
    'p/f.txt': 'content',
    'p/m.yaml': '###ZARF_VAR_V### ###ZARF_CONST_K### {{ .Variables.F }} ###ZARF_VAR_F### ###ZARF_REGISTRY###',
  }
  const markers = '{{ .Values.a.b }} ###ZARF_VAR_V### {{ .Variables.F }} content 127.0.0.1:31999\n'
  assert.equal(await renderOf(content), `1 ###ZARF_VAR_V### f.txt content 127.0.0.1:31999\n---\n${markers}`)
})

test('variables without a value, of a wrong form or in a file outside are refused together', async () => {
  const head =
    'variables: [{name: A, prompt: true}, {name: B, prompt: true}, {name: C, default: x, pattern: "^[0-9]+$"}, ' +
    '{name: D, type: file, default: ../../etc/passwd}]\nconstants: [{name: K, value: v, pattern: "("}]\n'
  const message = await rejectionOf({ 'p/zarf.yaml': packageText('', head) })
  assert.match(message, /p\/zarf\.yaml:3:\d+: there is no value for A, B: set a default/)
  assert.match(
    message,
    /p\/zarf\.yaml:3:\d+: provided value for variable "C" does not match pattern "\^\[0-9\]\+\$"/,
  )
  assert.match(message, /\.\.\/\.\.\/etc\/passwd leads out of the repository/)
  assert.match(message, /pattern of K.*missing closing \)/)
})

test('templates see the package, the state of the cluster and what stands for it', async () => {
  const content = templatePackage(
    '{{ .Pkg.Metadata.Name }} {{ (.Pkg.GetComponent "c").Name }} [{{ .Pkg.Build.Version }}] {{ .State.Registry.Address }} ' +
      '{{ .State.Git.PushUsername }} {{ .State.Registry.Port }}',
  )
  const planned = await planOf({
    ...content,
    'p/zarf.yaml': `${content['p/zarf.yaml']}x-wadi:\n  state: {Registry: {Address: "registry.corp:5000"}}\n`,
  })
  assert.equal(manifestsOf(planned), 'p c [] registry.corp:5000 zarf-git-user 31999\n')
  assert.ok(
    planned.warnings.some(({ message }) => message.startsWith('the state of the cluster is not known')),
  )
})

test('files with templates are written, others are reported', async () => {
  const files =
    '    files:\n      - {source: conf, target: etc, template: true}\n      - {source: m.yaml, target: /etc/x, template: true}\n' +
    '      - {source: m.yaml, target: ../x, template: true}\n      - {source: m.yaml, target: bin/x}\n'
  const planned = await planOf({
    'p/zarf.yaml': packageText(files, 'values: {files: [v.yaml]}\n'),
    'p/v.yaml': 'a: 1\n',
    'p/m.yaml': 'x',
    'p/conf/a.txt': 'a={{ .Values.a }}',
    'p/conf/deep/b.txt': 'b',
  })
  assert.deepEqual(planned.files, [
    { path: 'files/etc/a.txt', text: 'a=1\n' },
    { path: 'files/etc/deep/b.txt', text: 'b\n' },
  ])
  assert.deepEqual(
    planned.warnings.map(({ message }) => message),
    [
      'file m.yaml for /etc/x is not part of what is hydrated: its target is outside of the directory of the deployment',
      'file m.yaml for ../x is not part of what is hydrated: its target is outside of the directory of the deployment',
      'file m.yaml for bin/x is not part of what is hydrated: it is not a template',
    ],
  )
})

test('mapping one value and then another to a target changes neither of them', async () => {
  const charts =
    '    charts:\n      - name: one\n        namespace: ns\n        localPath: chart\n        values: [{sourcePath: .a, targetPath: .m}, ' +
    '{sourcePath: .b, targetPath: .m, excludePaths: [.b.no]}]\n      - {name: two, namespace: ns, localPath: chart, values: [{sourcePath: ., targetPath: .}]}\n'
  const planned = await planOf({
    'p/zarf.yaml': packageText(charts, 'values: {files: [v.yaml]}\n'),
    'p/v.yaml': 'a: {x: 1, l: [1, 2]}\nb: {y: 2, l: [3], no: 1}\n',
    'p/chart/Chart.yaml': 'name: c\n',
  })
  assert.deepEqual(
    planned.items.map((item) => item.kind === 'chart' && jsonText(item.values)),
    ['{"m":{"x":1,"l":[3],"y":2}}', '{"a":{"x":1,"l":[1,2]},"b":{"y":2,"l":[3],"no":1}}'],
  )
})

test('the schema is checked once all values are there, and errors name where each invalid value is written', async () => {
  const content = templatePackage('x', 'a: {b: text}\nv: 1\n')
  const schema = { required: ['w'], properties: { a: { properties: { b: { type: 'integer' } } } } }
  const message = await rejectionOf({
    ...content,
    'p/zarf.yaml': content['p/zarf.yaml']?.replace('[v.yaml]}', '[v.yaml], schema: s.json}') ?? '',
    'p/s.json': JSON.stringify(schema),
  })
  assert.match(
    message,
    /p\/v\.yaml:1:\d+: values validation failed: schema validation failed for p\/s\.json:\na\.b: Invalid type\. Expected: integer, given: string/,
  )
  assert.match(message, /\(root\): w is required/)
})

test('components are for linux and amd64, and a flavor comes from the configuration', async () => {
  const text =
    'kind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents:\n' +
    '  - {name: arm, required: true, only: {cluster: {architecture: arm64}}}\n' +
    '  - {name: windows, required: true, only: {localOS: windows}}\n' +
    '  - {name: up, required: true, only: {flavor: upstream}}\n' +
    '  - {name: all, required: true}\n'
  assert.deepEqual((await planOf({ 'p/zarf.yaml': text })).components, ['all'])
  const config = 'package: {create: {flavor: upstream}}\n'
  assert.deepEqual((await planOf({ 'p/zarf.yaml': text, 'p/zarf-config.yaml': config })).components, [
    'up',
    'all',
  ])
  assert.deepEqual((await planOf({ 'p/zarf.yaml': text }, { flavor: 'upstream' })).components, ['up', 'all'])
})

test('everything that lies on a network is refused as not in git', async () => {
  const component =
    '    charts: [{name: a, namespace: n, url: "https://x.example", version: 1.0.0}]\n' +
    '    manifests: [{name: m, files: ["https://x.example/m.yaml"], kustomizations: ["https://x.example/k"]}]\n'
  const message = await rejectionOf({
    'p/zarf.yaml': packageText(component, 'values: {files: ["https://x.example/v.yaml", v.json]}\n'),
    'p/v.json': '{}',
  })
  assert.match(message, /chart "a" is at https:\/\/x\.example, which is not in git/)
  assert.match(message, /m\.yaml is not in git/)
  assert.match(message, /k is not in git/)
  assert.match(message, /remote values files not yet supported, url=https:\/\/x\.example\/v\.yaml/)
  assert.match(message, /invalid file extension for values file p\/v\.json: \.json/)
  assert.match(
    await rejectionOf({ 'p/zarf.yaml': packageText('    import: {url: "oci://x.example/p:1"}\n') }),
    /^p\/zarf\.yaml:6:\d+: component c imports oci:\/\/x\.example\/p:1, which is not in git/,
  )
})
