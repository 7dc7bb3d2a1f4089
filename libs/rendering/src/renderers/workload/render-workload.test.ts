import assert from 'node:assert/strict'
import { test } from 'node:test'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

const image = 'registry.corp/shop@sha256:4f1d'

const example = {
  ...supplyChainFiles,
  'packages/web/chart/templates/all.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: "{{ .Values.name }}"}\nspec: {replicas: {{ .Values.replicas }}, image: "{{ .Values.image }}", extra: {{ hasKey .Values "logLevel" }}}\n',
}

const manifests = [
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"config","namespace":"web"},"data":{"level":"info"}}',
  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"shop","namespace":"web"},"spec":{"replicas":5,"image":"${image}","extra":false}}`,
]

/** The operators' objects with another template. */
const chainOf = (template: string) => `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {app.example.com/type: web}
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: t}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec:
  template: ${template}
`

/** The operators' objects with another `Render`. */
const renderOf = (spec: string) => ({
  'platform/web.yaml': chainOf(
    `{apiVersion: wadi.dev/v1alpha1, kind: Render, metadata: {name: r}, spec: ${spec}}`,
  ),
})

const app = testSource('apps/shop/prod')

test('a workload of a version that is not read is refused, and never hydrated as it is', async () => {
  const path = 'apps/shop/prod/workload.yaml'
  const other = example[path].replace('carto.run/v1alpha1', 'carto.run/v1alpha2')
  await using fixture = new RenderFixture(tools, { ...example, [path]: other })
  await assert.rejects(fixture.inspect(testSource('apps/shop/prod')), {
    name: 'InvalidInputError',
    message:
      /^apps\/shop\/prod\/workload\.yaml:1: Workload \[\S+\]: only carto\.run\/v1alpha1 is read, not carto\.run\/v1alpha2$/,
  })
})

test("a workload becomes what the operators' chain renders for it", async () => {
  await using fixture = new RenderFixture(tools, example)
  const inspection = await fixture.inspect(app)
  assert.equal(inspection.renderer, 'workload')
  assert.deepEqual(inspection.inputs, [
    'packages/web/chart',
    'packages/web/configmap.yaml',
    'packages/web/values.yaml',
    'packages/web/zarf-config.yaml',
    'packages/web/zarf.yaml',
  ])
  assert.deepEqual(inspection.warnings, [
    'workload param "registry" ignored: supply chain "web" fixes it (platform/web.yaml:8)',
  ])
  const rendered = await fixture.render(app)
  assert.deepEqual(rendered.manifests, manifests)
  assert.deepEqual(rendered.record.commands, ['wadi render apps/shop/prod'])
})

test('the fingerprint follows what is stamped and where it is written, and nothing else of the operators', async () => {
  // Warnings have places too, which do not matter here.
  const workload = example['apps/shop/prod/workload.yaml'].replace(/ {4}- \{name: registry.*\n/, '')
  await using fixture = new RenderFixture(tools, { ...example, 'apps/shop/prod/workload.yaml': workload })
  const { fingerprint, warnings } = await fixture.inspect(app)
  assert.deepEqual(warnings, [])
  const now = async () => (await fixture.inspect(app)).fingerprint
  fixture.write('apps/shop/prod/outputs.yaml', 'previousOutputs: {image: {image: other}}\n')
  assert.notEqual(await now(), fingerprint)
  fixture.write('apps/shop/prod/outputs.yaml', example['apps/shop/prod/outputs.yaml'])
  assert.equal(await now(), fingerprint)
  fixture.write('platform/more.yaml', '# nothing yet\n')
  assert.equal(await now(), fingerprint)
  fixture.write('platform/web.yaml', `# moves every line\n${example['platform/web.yaml']}`)
  const moved = await now()
  assert.notEqual(moved, fingerprint)
  fixture.write('platform/web.yaml', example['platform/web.yaml'].replace('default: info', 'default: debug'))
  assert.notEqual(await now(), fingerprint)
})

test('stamped objects and documents beside a workload are manifests', async () => {
  const { 'wadi.yaml': _, ...files } = example
  await using fixture = new RenderFixture(tools, {
    ...files,
    'apps/shop/prod/chain.yaml': `${chainOf('{apiVersion: v1, kind: ConfigMap, metadata: {name: $(workload.metadata.name)$}}')}---
{apiVersion: v1, kind: Secret, metadata: {name: plain}}
`,
  })
  const rendered = await fixture.render(app)
  assert.deepEqual(
    rendered.manifests.map((text) => /"kind":"(\w+)".*?"name":"([a-z]+)"/.exec(text)?.slice(1)),
    [
      ['Secret', 'plain'],
      ['ConfigMap', 'shop'],
    ],
  )
})

test('operators’ objects in a directory of developers are refused', async () => {
  await using fixture = new RenderFixture(tools, {
    ...example,
    'apps/shop/prod/chain.yaml': example['platform/web.yaml'],
  })
  await assert.rejects(fixture.inspect(app), {
    message:
      /^(apps\/shop\/prod\/chain\.yaml:(1|18|25):1: an object of operators in a directory of developers\n){3}move it to a directory that "platform" of wadi\.yaml lists$/,
  })
})

test('Render names a chart, an overlay or a directory, with options that win over those in git', async () => {
  const more = {
    'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'chart/templates/all.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "{{ .Values.a }}", b: "{{ .Values.b }}", in: "{{ .Release.Namespace }}"}\n',
    'chart/.argocd-source.yaml': 'helm: {valuesObject: {a: developer, b: developer}}\n',
    'overlay/kustomization.yaml': 'resources: [cm.yaml]\n',
    'overlay/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\n',
    'plain/deep/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\n',
  }
  const rendered = async (spec: string) => {
    await using fixture = new RenderFixture(tools, { ...example, ...more, ...renderOf(spec) })
    return (await fixture.render(app)).manifests
  }
  assert.deepEqual(await rendered('{path: chart, helm: {valuesObject: {a: operator}}}'), [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"web"},"data":{"a":"operator","b":"developer","in":"web"}}',
  ])
  assert.deepEqual(await rendered('{path: overlay, kustomize: {namePrefix: p-}}'), [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"p-k","namespace":"web"}}',
  ])
  assert.deepEqual(await rendered('{path: plain, directory: {recurse: true}}'), [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d","namespace":"web"}}',
  ])
})

test('files of packages are beside the manifests of a workload, and two texts for one place name both', async () => {
  const workload = (name: string): string =>
    `---\napiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: ${name}, namespace: web, labels: {app.example.com/type: web}}\nspec: {}\n`
  const owners = 'apps/shop/prod/workload.yaml'
  await using fixture = new RenderFixture(tools, {
    ...example,
    ...renderOf('{path: packages/conf, package: {values: {who: $(workload.metadata.name)$}}}'),
    'packages/conf/zarf.yaml':
      'kind: ZarfPackageConfig\nmetadata: {name: conf}\nvalues: {files: [values.yaml]}\ncomponents:\n  - {name: c, required: true, files: [{source: a.conf, target: a.conf, template: true}]}\n',
    'packages/conf/values.yaml': 'who: nobody\n',
    'packages/conf/a.conf': 'for {{ .Values.who }}\n',
    [owners]: workload('shop'),
  })
  assert.deepEqual((await fixture.render(app)).files, [{ path: 'a.conf', content: 'for shop\n' }])
  fixture.write(owners, workload('shop') + workload('cart'))
  await assert.rejects(fixture.inspect(app), {
    name: 'InvalidInputError',
    message:
      'Workload "shop" resource "deploy": package "conf" and Workload "cart" resource "deploy": package "conf" want different texts in files/a.conf; give one of them another target',
  })
  fixture.write('packages/conf/a.conf', 'for all\n')
  assert.deepEqual((await fixture.render(app)).files, [{ path: 'a.conf', content: 'for all\n' }])
})

test('what is wrong with a Render names the resource, and a loop is named', async () => {
  const rejection = async (spec: string): Promise<string> => {
    await using fixture = new RenderFixture(tools, { ...example, ...renderOf(spec) })
    const error: unknown = await fixture.inspect(app).catch((cause: unknown) => cause)
    return error instanceof Error ? error.message : ''
  }
  const at = /^Workload "shop" resource "deploy": platform\/web\.yaml:12\S*: Render: /
  assert.match(await rejection('{path: apps/shop/prod}'), /Render loops: apps\/shop\/prod → apps\/shop\/prod/)
  assert.match(await rejection('{path: ../out}'), /spec\.path "\.\.\/out" leads outside the repository/)
  assert.match(await rejection('{path: missing}'), /spec\.path "missing" is not a directory of this commit/)
  assert.match(await rejection('{path: missing}'), at)
  assert.match(await rejection('{path: platform, package: {}}'), /:12:103: .*"platform" has no zarf\.yaml/)
  assert.match(
    await rejection('{path: packages/web, helm: {}}'),
    /:12:107: .*package and has options of helm/,
  )
  assert.match(
    await rejection('{path: platform, url: x}'),
    /:12:103: Render: unknown field spec\.url; expected one of path, plugin, kustomize, helm/,
  )
})

test('a value that the schema refuses is named with the place that a developer wrote it at', async () => {
  await using fixture = new RenderFixture(tools, {
    ...example,
    'packages/web/zarf.yaml': example['packages/web/zarf.yaml'].replace(
      'values: {',
      'values: {schema: s.json, ',
    ),
    'packages/web/s.json': '{"properties": {"app": {"properties": {"replicas": {"maximum": 4}}}}}',
  })
  const error: unknown = await fixture.render(testSource('apps/shop/prod')).catch((reason: unknown) => reason)
  assert.match(
    String(error),
    /app\.replicas: Must be less than or equal to 4; the value is from param replicas <- apps\/shop\/prod\/workload\.yaml:\d+:\d+/,
  )
})

test('workload objects of a directory that its options call plain stay as they are', async () => {
  await using fixture = new RenderFixture(tools, {
    ...example,
    'apps/shop/prod/.argocd-source.yaml': 'directory: {exclude: outputs.yaml}\n',
  })
  assert.equal((await fixture.inspect(app)).renderer, 'directory')
  assert.match((await fixture.render(app)).manifests.join(), /"kind":"Workload"/)
})
