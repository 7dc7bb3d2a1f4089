import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools, reportedParameters } from '../../run/render-fixture.ts'

const tools = await testTools()

const app = testSource('apps/shop')

const template =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata: {values: {{ .Values | toJson | quote }}}\n'

/** A workload whose chain stamps a `Render` with this spec. */
function filesOf(spec: string): Record<string, string> {
  return {
    'platform/web.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  params: [{name: path, default: none}]
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: t}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec:
  params: [{name: path, default: none}]
  template:
    apiVersion: wadi.dev/v1alpha1
    kind: Render
    metadata: {name: r}
    spec: ${spec}
`,
    'wadi.yaml': 'platform: [platform]\n',
    'apps/shop/workload.yaml': workload(),
    'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'chart/values.yaml': 'replicas: 1\nimage: {tag: chart, name: chart}\nhosts: [a, b]\nunset: 1\n',
    'chart/templates/all.yaml': template,
    'chart/dev.yaml': 'image: {tag: dev-file}\nfile: dev\n',
    'chart/text.txt': 'text',
    'chart/.argocd-source.yaml': `helm:
  releaseName: own
  valueFiles: [dev.yaml]
  valuesObject: {inline: dev, replicas: 2, unset: 2}
  parameters:
  - {name: image.tag, value: dev-set}
  - {name: image.name, value: dev-set, forceString: true}
  - {name: 'hosts[1]', value: dev}
  - {name: kept, value: dev-set}
  fileParameters: [{name: note, path: text.txt}]
`,
    'operators.yaml': 'image: {tag: operator-file}\nfile: operator\n',
  }
}

function workload(path?: string): string {
  const params = path === undefined ? '' : `\nspec:\n  params: [{name: path, value: ${path}}]`
  return `apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: shop, namespace: web, labels: {type: web}}${params}\n`
}

/** The values that the chart of a `Render` sees. */
async function valuesOf(spec: string): Promise<{ seen: unknown; explained: Map<string, unknown> }> {
  await using fixture = new RenderFixture(tools, filesOf(spec))
  const rendered = await fixture.render(app)
  const manifest: { data: { values: string } } = JSON.parse(rendered.manifests[0] ?? '')
  const rows = reportedParameters(rendered).filter(({ of }) => of.startsWith('values of chart "c"'))
  return {
    seen: JSON.parse(manifest.data.values),
    explained: new Map(
      rows.map(({ path, value, from, beats }) => [path, [value, from?.owner, beats.length]]),
    ),
  }
}

test('each value that a Render sets overrides all that developers set, in whatever way', async () => {
  const own = {
    image: { tag: 'dev-set', name: 'dev-set' },
    hosts: [null, 'dev'],
    kept: 'dev-set',
    note: 'text',
  }
  assert.deepEqual((await valuesOf('{path: chart}')).seen, {
    replicas: 2,
    unset: 2,
    inline: 'dev',
    file: 'dev',
    ...own,
  })
  const { seen, explained } = await valuesOf(
    `{path: chart, helm: {valueFiles: [../operators.yaml], valuesObject: {replicas: 9, note: {a: 1}, unset: null}, parameters: [{name: image.name, value: "7"}, {name: 'hosts[0]', value: operator}]}}`,
  )
  assert.deepEqual(seen, {
    replicas: 9,
    inline: 'dev',
    file: 'operator',
    image: { tag: 'operator-file', name: 7 },
    hosts: ['operator'],
    kept: 'dev-set',
    note: { a: 1 },
  })
  assert.deepEqual(Object.fromEntries(explained), {
    '.replicas': [9, 'operator', 2],
    '.image.tag': ['operator-file', 'operator', 3],
    '.image.name': [7, 'operator', 2],
    '.hosts': [['operator'], 'operator', 2],
    '.inline': ['dev', 'developer', 0],
    '.file': ['operator', 'operator', 1],
    '.note.a': [1, 'operator', 0],
    '.kept': ['dev-set', 'developer', 0],
  })
})

test('a Render through more than four directories of workloads is refused with all of them', async () => {
  const files = filesOf('{path: $(params.path)$}')
  const lead = (from: string, to: string): [string, string] => [`${from}/workload.yaml`, workload(to)]
  const chain = [lead('apps/shop', 'w/a'), lead('w/a', 'w/b'), lead('w/b', 'w/c')]
  await using allowed = new RenderFixture(tools, {
    ...files,
    ...Object.fromEntries([...chain, lead('w/c', 'chart')]),
  })
  assert.equal((await allowed.render(app)).manifests.length, 1)
  await using deep = new RenderFixture(tools, {
    ...files,
    ...Object.fromEntries([...chain, lead('w/c', 'w/d'), lead('w/d', 'chart')]),
  })
  await assert.rejects(deep.inspect(app), {
    name: 'InvalidInputError',
    message:
      /^Workload "shop" resource "deploy": apps\/shop\/workload\.yaml:5\S*: .*w\/b\/workload\.yaml:5\S*: .*Render leads through more than 4 directories of workloads: apps\/shop → w\/a → w\/b → w\/c → w\/d$/,
  })
})

test('a Render that comes back to a directory through others is refused with the way there', async () => {
  const files = filesOf('{path: $(params.path)$}')
  await using looping = new RenderFixture(tools, {
    ...files,
    'apps/shop/workload.yaml': workload('w/a'),
    'w/a/workload.yaml': workload('w/b'),
    'w/b/workload.yaml': workload('w/a'),
  })
  await assert.rejects(looping.inspect(app), {
    name: 'InvalidInputError',
    message:
      /^Workload "shop" resource "deploy": apps\/shop\/workload\.yaml:5\S*: .*w\/a\/workload\.yaml:5\S*: .*Render loops: apps\/shop → w\/a → w\/b → w\/a$/,
  })
})
