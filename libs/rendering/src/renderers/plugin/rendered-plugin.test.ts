import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InspectionCache } from '../../inspection/inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { announcementOf } from '@wadi/plugins/announcements/announcement-of.ts'
import { announcingPlugin } from '../../run/parameters-fixture.ts'
import { configMap, testPlugin, testPlugins } from './plugins-fixture.ts'
import {
  RenderFixture,
  strictPolicy,
  testRevision,
  testSource,
  testTools,
  reportedParameters,
} from '../../run/render-fixture.ts'
import { renderSource } from '../../run/render-source.ts'

const tools = await testTools()

const app = testSource('apps/shop')

/** A workload whose chain stamps a `Render` with this spec. */
function filesOf(spec: string): Record<string, string> {
  return {
    'platform/web.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  params: [{name: replicas, default: 2}]
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: t}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec:
  params: [{name: replicas, default: 1}]
  template:
    apiVersion: wadi.dev/v1alpha1
    kind: Render
    metadata: {name: r}
    spec:
${spec.replaceAll(/^/gm, '      ')}
`,
    'wadi.yaml': 'platform: [platform]\n',
    'apps/shop/workload.yaml':
      'apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: shop, namespace: web, labels: {type: web}}\nspec:\n  params: [{name: replicas, value: 5}]\n',
    'site/main.txt': 'x\n',
  }
}

const announced = [
  announcementOf({
    name: 'replicas',
    itemType: 'number',
    default: { kind: 'string', text: '1' },
    required: true,
  }),
  announcementOf({ name: 'hosts', collectionType: 'array' }),
  announcementOf({ name: 'labels', collectionType: 'map' }),
]

test('Render has a plugin generate from a directory with parameters by name over those in git', async () => {
  const plugin = announcingPlugin('p', announced)
  const generating = testPlugin('p')
  await using fixture = new RenderFixture(
    tools,
    {
      ...filesOf(
        'path: site\nplugin:\n  name: p\n  env: [{name: MODE, value: operator}]\n  parameters:\n    replicas: $(params.replicas)$\n    hosts: [a, 1]\n    labels: {team: x}\n    tree: {a: [{b: 1}]}',
      ),
      'site/.argocd-source.yaml':
        'plugin:\n  env: [{name: MODE, value: own}, {name: OWN, value: $ARGOCD_APP_SOURCE_PATH}]\n  parameters:\n  - {name: replicas, string: "3"}\n  - {name: own, string: kept}\n',
    },
    testPlugins({ ...plugin, generate: (call) => generating.generate(call) }),
  )
  const rendered = await fixture.render(app)
  assert.deepEqual(rendered.manifests, [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"p","namespace":"web"},"data":{}}',
  ])
  assert.deepEqual(
    rendered.record.tools.map(({ name, version }) => [name, version]),
    [['plugin p', '']],
  )
  const [call] = generating.generated
  assert.equal(call?.path, 'site')
  const variables = new Map(call?.variables.map(({ name, value }) => [name, value]))
  assert.equal(variables.get('ARGOCD_ENV_MODE'), 'operator')
  assert.equal(variables.get('ARGOCD_ENV_OWN'), 'site')
  assert.equal(
    variables.get('ARGOCD_APP_PARAMETERS'),
    '[{"name":"replicas","string":"5"},{"name":"own","string":"kept"},{"array":["a","1"],"name":"hosts"},{"map":{"team":"x"},"name":"labels"},{"name":"tree","string":"{\\"a\\":[{\\"b\\":1}]}"}]',
  )
  const rows = reportedParameters(rendered).filter(({ of }) =>
    of.startsWith('parameters of plugin "p" for workload'),
  )
  assert.deepEqual(
    rows.map(({ path, from, beats }) => [
      path,
      from?.owner,
      from?.file,
      from?.line,
      beats.map(({ value }) => value),
    ]),
    [
      ['.replicas', 'operator', 'platform/web.yaml', 24, ['3', '1']],
      ['.own', 'developer', 'site/.argocd-source.yaml', 5, []],
      ['.hosts', 'operator', 'platform/web.yaml', 25, []],
      ['.labels', 'operator', 'platform/web.yaml', 26, []],
      ['.tree', 'operator', 'platform/web.yaml', 27, []],
    ],
  )
  assert.equal(rows[0]?.from?.derivedFrom?.from?.file, 'apps/shop/workload.yaml')
})

test('a plugin takes a directory that Render names without options, and Argo CD’s list is read as well', async () => {
  const discovering = testPlugin('p', { discovery: { by: 'fileName', pattern: 'main.txt' } })
  await using found = new RenderFixture(tools, filesOf('path: site'), testPlugins(discovering))
  assert.match((await found.render(app)).manifests.join(), /"name":"p"/)
  assert.equal(discovering.generated.length, 1)
  const named = testPlugin('q')
  const list =
    'path: site\nplugin:\n  name: q\n  parameters:\n  - {name: a, string: $(params.replicas)$}\n  - {name: b, array: [x]}'
  await using listed = new RenderFixture(tools, filesOf(list), testPlugins(named))
  await listed.render(app)
  const text = named.generated[0]?.variables.find(({ name }) => name === 'ARGOCD_APP_PARAMETERS')?.value
  assert.equal(text, '[{"name":"a","string":"5"},{"array":["x"],"name":"b"}]')
})

test('parameters of a Render that are not as announced are refused with their place before the plugin runs', async () => {
  const rejection = async (plugin: string): Promise<string> => {
    const announcing = announcingPlugin('p', [
      ...announced,
      announcementOf({ name: 'needed', required: true }),
    ])
    await using fixture = new RenderFixture(
      tools,
      filesOf(`path: site\nplugin:\n${plugin}`),
      testPlugins(announcing),
    )
    const error: unknown = await fixture.inspect(app).catch((cause: unknown) => cause)
    return error instanceof Error ? error.message : ''
  }
  const message = await rejection('  name: p\n  parameters:\n    replicas: many\n    hosts: a')
  assert.match(
    message,
    /^Workload "shop" resource "deploy": platform\/web\.yaml:20\S*: parameter "needed" of plugin p is required; set it$/m,
  )
  assert.match(
    message,
    /^platform\/web\.yaml:23\S*: parameter "replicas" of plugin p "many" is not a number$/m,
  )
  assert.match(
    message,
    /^platform\/web\.yaml:24\S*: parameter "hosts" of plugin p takes a list, not a single value$/m,
  )
  assert.match(await rejection('  name: absent'), /no plugin "absent"/)
  assert.match(await rejection('  nmae: p'), /Render: unknown field spec\.plugin\.nmae; did you mean name\?/)
  assert.match(
    await rejection('  name: p\n  parameters:\n  - {string: x}'),
    /platform\/web\.yaml:23\S*: Render: spec\.plugin\.parameters\[0\]/,
  )
})

test('the fingerprint follows the plugin, and a revision that its manifests show', async () => {
  const annotated = { ...app, manifestGeneratePaths: '/platform' }
  const revisionPlugin = (identity: string, isReported: boolean) =>
    testPlugin('p', {
      identity,
      generate: async ({ variables }) => {
        const reported = variables.find(({ name }) => name === 'ARGOCD_APP_REVISION')?.value ?? ''
        return { manifests: [configMap('p', isReported ? { revision: reported } : {})] }
      },
    })
  const spec = filesOf('path: site\nplugin: {name: p}')
  const fingerprints = new Set<string>()
  for (const [identity, isReported] of [
    ['one', false],
    ['two', false],
    ['two', true],
  ] as const) {
    await using fixture = new RenderFixture(tools, spec, testPlugins(revisionPlugin(identity, isReported)))
    const cache = new InspectionCache()
    const tree = openDirectoryTree(fixture.directory)
    const first = await cache.inspect(tree, annotated, testRevision, fixture.tools, strictPolicy)
    assert.deepEqual([first.inputs.includes('site'), first.inputs.includes('')], [true, false])
    const rendered = await renderSource(tree, first, fixture.context(annotated))
    assert.equal(rendered.widened, isReported)
    fingerprints.add(rendered.fingerprint)
    const next = 'f'.repeat(40)
    const second = await cache.inspect(tree, annotated, next, fixture.tools, strictPolicy)
    assert.equal(second.fingerprint, first.fingerprint)
    const context = { ...fixture.context(annotated), revision: next }
    const again = await renderSource(tree, second, context)
    assert.equal(again.manifests.join().includes(next), isReported)
    assert.equal(again.fingerprint === rendered.fingerprint, !isReported)
  }
  assert.equal(fingerprints.size, 3)
})

test('without the annotation a plugin of a Render sees the whole repository, and the revision is in the fingerprint', async () => {
  await using fixture = new RenderFixture(
    tools,
    filesOf('path: site\nplugin: {name: p}'),
    testPlugins(testPlugin('p')),
  )
  const inspection = await fixture.inspect(app)
  assert.ok(inspection.inputs.includes(''))
  assert.ok(inspection.variables.includes('ARGOCD_APP_REVISION'))
})
