import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestsOf, packageText, planOf, rejectionOf, renderOf } from '../package-fixture.ts'

const head = 'kind: ZarfPackageConfig\nmetadata: {name: x}\n'

test('an importing component renames what it imports, adds to it and brings its values and variables along', async () => {
  const content = {
    'p/zarf.yaml': packageText(
      '    import: {path: ../common, name: base}\n    manifests: [{name: m, namespace: mine, files: [own.yaml]}, {name: n, files: [own.yaml]}]\n' +
        '    charts: [{name: web, namespace: mine, valuesFiles: [own-values.yaml]}]\n',
      'values: {files: [v.yaml]}\nvariables: [{name: V, default: own}]\n',
    ),
    'p/own.yaml': 'own: ###ZARF_VAR_V### ###ZARF_VAR_W###',
    'p/v.yaml': 'x: own\n',
    'p/own-values.yaml': 'own: 1',
    'common/zarf.yaml':
      `${head}values: {files: [v.yaml]}\nvariables: [{name: V, default: common}, {name: W, default: w}]\ncomponents:\n` +
      '  - {name: other}\n  - name: base\n    manifests: [{name: m, namespace: theirs, template: true, files: [m.yaml]}]\n' +
      '    charts: [{name: web, namespace: theirs, localPath: chart, valuesFiles: [values.yaml]}]\n',
    'common/v.yaml': 'x: common\ny: common\n',
    'common/m.yaml': '{{ .Values.x }} {{ .Values.y }} {{ .Pkg.Metadata.Name }}',
    'common/values.yaml': 'common: 1',
    'common/chart/Chart.yaml': 'name: c\n',
  }
  const planned = await planOf(content)
  assert.deepEqual(planned.components, ['c'])
  assert.equal(manifestsOf(planned), 'own common p\n---\nown: own w\n---\nown: own w\n')
  const [chart, manifests] = planned.items
  assert.ok(chart?.kind === 'chart' && manifests?.kind === 'manifests')
  assert.deepEqual(
    [chart.path, chart.namespace, chart.valueFiles.map(({ path }) => path), manifests.namespace],
    ['common/chart', 'mine', ['common/values.yaml', 'p/own-values.yaml'], 'mine'],
  )
})

test('imports of imports come first among the values, and a file that is named twice applies where it was first', async () => {
  const part = (name: string, next: string, files: string): string =>
    `${head}values: {files: ${files}}\ncomponents: [{name: c${next === '' ? '' : `, import: {path: ${next}}`}}]\n`
  const content = {
    'p/zarf.yaml': packageText(
      '    import: {path: ../a}\n    manifests: [{name: m, template: true, files: [m.yaml]}]\n',
      'values: {files: [../b/v.yaml, v.yaml]}\n',
    ),
    'p/m.yaml': '{{ .Values.x }} {{ .Values.y }}',
    'p/v.yaml': 'y: p\n',
    'a/zarf.yaml': part('a', '../b', '[v.yaml]'),
    'a/v.yaml': 'x: a\ny: a\n',
    'b/zarf.yaml': part('b', '', '[v.yaml]'),
    'b/v.yaml': 'x: b\ny: b\n',
  }
  assert.equal(await renderOf(content), 'a p\n')
})

test('imports in a cycle, out of the repository or of nothing are refused with the place', async () => {
  const cyclic = {
    'p/zarf.yaml': packageText('    import: {path: ../q}\n'),
    'q/zarf.yaml': `${head}components: [{name: c, import: {path: ../p}}]\n`,
  }
  assert.equal(
    await rejectionOf(cyclic),
    'q/zarf.yaml:3:33: p/zarf.yaml is imported in a cycle: p/zarf.yaml -> q/zarf.yaml -> p/zarf.yaml',
  )
  for (const [path, message] of [
    ['../../x', /^p\/zarf\.yaml:6:14: \.\.\/\.\.\/x leads out of the repository/],
    ['/etc', /^p\/zarf\.yaml:6:14: \/etc is an absolute path/],
    [
      '../none',
      /^p\/zarf\.yaml:6:14: unable to access import package path "none": there is no none\/zarf\.yaml/,
    ],
  ] as const) {
    assert.match(await rejectionOf({ 'p/zarf.yaml': packageText(`    import: {path: ${path}}\n`) }), message)
  }
  const missing = { ...cyclic, 'q/zarf.yaml': `${head}components: [{name: other}]\n` }
  assert.match(
    await rejectionOf(missing),
    /^p\/zarf\.yaml:6:\d+: no compatible component named c found in q\/zarf\.yaml/,
  )
})

test('a package that needs more than a thousand imports is refused', async () => {
  const components = Array.from(
    { length: 1001 },
    (_, index) => `  - {name: c${index}, import: {path: ../q, name: c}}\n`,
  )
  const content = {
    'p/zarf.yaml': `${head}components:\n${components.join('')}`,
    'q/zarf.yaml': `${head}components: [{name: c}]\n`,
  }
  assert.match(
    await rejectionOf(content),
    /^p\/zarf\.yaml:1004:\d+: the package needs more than 1000 imports/,
  )
})

test('a package of v1beta1 imports the one component that matches, and its own fields take precedence', async () => {
  const component = (flavor: string): string =>
    `apiVersion: zarf.dev/v1beta1\nkind: ZarfComponentConfig\nmetadata: {name: web}\nvalues: {files: [v.yaml]}\ncomponent:\n` +
    `  selector: {flavor: ${flavor}}\n  charts:\n    - {name: web, namespace: theirs, local: {path: chart}, skipSchemaValidation: true, ` +
    'valuesFiles: [{path: plain.yaml}, {path: t.yaml, enableTemplating: true}], values: [{sourcePath: .x, targetPath: .y}]}\n'
  const content = {
    'p/zarf.yaml':
      'apiVersion: zarf.dev/v1beta1\nkind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents:\n  - name: c\n' +
      '    import: {local: [{path: ../parts/one.yaml}, {path: ../parts/two.yaml}]}\n' +
      '    charts: [{name: web, namespace: mine}]\n    manifests: [{name: m, files: [m.yaml], enableTemplating: true}]\n',
    'p/m.yaml': '{{ .Values.x }} {{ .Variables }}',
    'p/zarf-config.yaml': 'package: {create: {flavor: two}}\n',
    'parts/one.yaml': component('one'),
    'parts/two.yaml': component('two'),
    'parts/v.yaml': 'x: 5\n',
    'parts/plain.yaml': 'plain: 1',
    'parts/t.yaml': 't: {{ .Values.x }}',
    'parts/chart/Chart.yaml': 'name: c\n',
  }
  const planned = await planOf(content)
  const [chart] = planned.items
  assert.ok(chart?.kind === 'chart')
  assert.deepEqual(
    [chart.path, chart.namespace, chart.validatesSchema, chart.valueFiles.map(({ text }) => text)],
    ['parts/chart', 'mine', false, ['plain: 1\n', 't: 5\n']],
  )
  assert.equal(manifestsOf(planned), '5 map[]\n')
  assert.match(
    await rejectionOf(content, { flavor: 'three' }),
    /no imported component variant is compatible with the package target/,
  )
  assert.match(
    await rejectionOf({
      ...content,
      'p/zarf.yaml': content['p/zarf.yaml'].replace('../parts/one.yaml', 'zarf.yaml'),
    }),
    /p\/zarf\.yaml is imported in a cycle/,
  )
})

test('an import of a path and a url is refused as one too many', async () => {
  const error = await rejectionOf({
    'p/zarf.yaml': packageText('    import: {path: ../common, url: "oci://example.com/x:1"}\n'),
  })
  assert.match(
    error,
    /imports both the path \.\.\/common and the url oci:\/\/example\.com\/x:1; only one can be set/,
  )
})
