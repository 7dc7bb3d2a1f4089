import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { RenderFixture, strictPolicy, testSource, testTools } from '../../run/render-fixture.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'

const bundled = await testTools()
const policy = { ...strictPolicy, kustomizeBuildOptions: ['--enable-helm'] }
const { helm3, helm4, kustomize } = rendererFiles
const ownKustomize = { command: [kustomize], version: 'v5.8.3', standalone: true }

const chart = {
  'charts/mini/Chart.yaml': 'apiVersion: v2\nname: mini\nversion: 0.1.0\n',
  'charts/mini/values.yaml': 'a: 1\n',
  'charts/mini/templates/cm.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mini}\ndata: {ns: "{{ .Release.Namespace }}", a: "{{ .Values.a }}", b: "{{ .Values.b }}"}\n',
}
const files = {
  ...chart,
  'kustomization.yaml':
    'helmGlobals: {chartHome: charts}\nhelmCharts:\n- name: mini\n  releaseName: mini\n  namespace: shop\n  valuesFile: mini.yaml\n  additionalValuesFiles: [more.yaml]\n',
  'mini.yaml': 'a: 2\nb: 2\n',
  'more.yaml': 'b: 3\n',
}
const rendered = [
  '{"apiVersion":"v1","data":{"a":"2","b":"3","ns":"shop"},"kind":"ConfigMap","metadata":{"name":"mini"}}',
]

const pairs: readonly (readonly [name: string, tools: Tools, isThere: boolean])[] = [
  ['that Wadi brings', bundled, true],
  ['5.7.1 with Helm 4.3.1', { ...bundled, helm: { command: [helm4], version: 'v4.3.1' } }, false],
  ['5.7.1 with Helm 3', { ...bundled, helm: { command: [helm3], version: 'v3.22.0' } }, false],
  ['5.8.3 with Helm 4', { helm: { command: [helm4], version: 'v4.3.1' }, kustomize: ownKustomize }, false],
  ['5.8.3 with Helm 3', { helm: { command: [helm3], version: 'v3.22.0' }, kustomize: ownKustomize }, false],
]

for (const [name, tools, isThere] of pairs) {
  const skip = isThere ? false : (renderersMissing ?? false)
  test(`a kustomization renders charts with the Kustomize and Helm ${name}`, { skip }, async () => {
    await using fixture = new RenderFixture(tools, files)
    const { manifests, record } = await fixture.render(testSource(''), {}, policy)
    assert.deepEqual(manifests, rendered)
    assert.deepEqual(
      record.tools.map((tool) => `${tool.name} ${tool.version}`),
      [`kustomize ${tools.kustomize.version}`, `helm ${tools.helm.version}`],
    )
  })
}

test('charts of a base and of generators are found as those of the kustomization itself', async () => {
  await using fixture = new RenderFixture(bundled, {
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`base/${name}`, text])),
    'prod/kustomization.yaml': 'resources: [../base]\nnameSuffix: -prod\n',
    'generated/kustomization.yaml': 'generators: [mini.yaml]\n',
    'generated/mini.yaml':
      'apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: x}\nname: mini\nreleaseName: mini\nchartHome: charts\nvaluesFile: own.yaml\n',
    'generated/own.yaml': 'b: own\n',
    ...Object.fromEntries(Object.entries(chart).map(([name, text]) => [`generated/${name}`, text])),
  })
  const prod = await fixture.render(testSource('prod'), {}, policy)
  assert.match(prod.manifests.join(), /"b":"3","ns":"shop"\}.*"name":"mini-prod"/)
  assert.equal(prod.widened, false)
  fixture.write('directory/kustomization.yaml', 'generators: [../generators]\n')
  fixture.write('generators/kustomization.yaml', 'resources: [mini.yaml]\n')
  fixture.write(
    'generators/mini.yaml',
    'apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: x}\nname: mini\nreleaseName: mini\nchartHome: charts\n',
  )
  for (const [name, text] of Object.entries(chart)) fixture.write(`directory/${name}`, text)
  const directory = await fixture.render(testSource('directory'), {}, policy)
  assert.match(directory.manifests.join(), /"name":"mini"/)
  assert.equal(directory.record.tools.length, 2)
  const generated = await fixture.render(testSource('generated'), {}, policy)
  assert.match(generated.manifests.join(), /"b":"own"/)
  assert.equal(generated.widened, false)
})

test('what decides a kustomization with charts are its files, those of the charts and the version of Helm', async () => {
  await using fixture = new RenderFixture(bundled, {
    ...files,
    'plain/kustomization.yaml': 'namePrefix: a-\n',
  })
  const fingerprintOf = async (path = '') => (await fixture.inspect(testSource(path), policy)).fingerprint
  const seen = new Set([await fingerprintOf()])
  for (const file of ['mini.yaml', 'more.yaml', 'charts/mini/values.yaml', 'charts/mini/templates/b.yaml']) {
    fixture.write(file, 'c: 4\n')
    seen.add(await fingerprintOf())
  }
  assert.equal(seen.size, 5)
  const otherHelm = { ...bundled, helm: { ...bundled.helm, version: 'v4.9.9' } }
  await using other = new RenderFixture(otherHelm, {
    ...files,
    'plain/kustomization.yaml': 'namePrefix: a-\n',
  })
  const before = await new RenderFixture(bundled, files).inspect(testSource(''), policy)
  assert.notEqual((await other.inspect(testSource(''), policy)).fingerprint, before.fingerprint)
  assert.equal((await other.inspect(testSource('plain'), policy)).fingerprint, await fingerprintOf('plain'))
})

test('a chart that is not in the repository is refused, unless the operator allows downloads of an exact version', async () => {
  const kustomization = (version: string) =>
    `helmCharts:\n- name: far\n  repo: https://charts.example.com\n  version: "${version}"\n`
  await using fixture = new RenderFixture(bundled, {
    ...files,
    'far/kustomization.yaml': kustomization('^1.0.0'),
  })
  await assert.rejects(
    fixture.inspect(testSource('far'), policy),
    /far\/kustomization\.yaml:2: chart "far" is not in far\/charts and would be downloaded/,
  )
  const remote = { ...policy, allowRemoteCharts: true }
  await assert.rejects(fixture.inspect(testSource('far'), remote), /only when its version is exact/)
  fixture.write('far/kustomization.yaml', kustomization('1.0.0'))
  assert.equal((await fixture.inspect(testSource('far'), remote)).renderer, 'kustomize')
  // As Kustomize keeps it after a download.
  fixture.write('far/charts/far-1.0.0/far/Chart.yaml', 'apiVersion: v2\nname: far\nversion: 1.0.0\n')
  fixture.write('far/charts/far-1.0.0/far/values.yaml', '{}\n')
  fixture.write(
    'far/charts/far-1.0.0/far/templates/a.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n',
  )
  assert.equal((await fixture.render(testSource('far'), {}, policy)).manifests.length, 1)
  fixture.write('none/kustomization.yaml', 'helmCharts:\n- name: none\n')
  await assert.rejects(
    fixture.inspect(testSource('none'), policy),
    /none\/kustomization\.yaml:2: chart "none" is not in none\/charts; commit its directory/,
  )
})
