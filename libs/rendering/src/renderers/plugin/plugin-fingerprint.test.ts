import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InspectionCache } from '../../inspection/inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'
import type { Plugin, Plugins } from './plugins.ts'
import { configMap, testPlugin, testPlugins } from './plugins-fixture.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../../run/render-fixture.ts'
import { renderSource } from '../../run/render-source.ts'
import type { RenderSource } from '../../source/source.ts'

const tools = await testTools()
const files = { 'web/a.txt': 'a', 'lib/b.txt': 'b', 'other/c.txt': 'c' }
const otherRevision = 'f'.repeat(40)
const whole = testSource('web', { plugin: { name: 'p' } })
const narrow = { ...whole, manifestGeneratePaths: '/lib' }

function changing(...revisions: readonly string[]): Plugin {
  const left = [...revisions]
  return testPlugin('p', {
    generate: async () => ({ manifests: [configMap('a', { text: left.shift() ?? '' })], warnings: [] }),
  })
}

function revisionReported({ plan }: SourceInspection): string | undefined {
  return plan.plugins[0]?.call.variables[0]?.value
}

test('the fingerprint changes with the plugin, its options and its inputs, and nothing else', async () => {
  const inspect = async (
    source: RenderSource,
    change = {},
    plugins: Plugins = testPlugins(testPlugin('p')),
  ) => {
    await using fixture = new RenderFixture(tools, { ...files, ...change }, plugins)
    return (await fixture.inspect(source)).fingerprint
  }
  const before = await inspect(narrow)
  assert.equal(await inspect({ ...narrow, applicationName: 'x', destinationNamespace: 'x' }), before)
  assert.equal(await inspect(narrow, { 'other/c.txt': 'changed' }), before)
  const different = [
    await inspect(narrow, { 'lib/b.txt': 'changed' }),
    await inspect(narrow, { 'web/a.txt': 'changed' }),
    await inspect(narrow, {}, testPlugins(testPlugin('p', { identity: 'sha256:2' }))),
    await inspect({ ...narrow, options: { plugin: { name: 'p', env: [{ name: 'A', value: 'b' }] } } }),
    await inspect({ ...narrow, targetRevision: 'v2' }),
    await inspect({ ...narrow, repoUrl: 'https://git.example.com/moved.git' }),
    await inspect({ ...narrow, manifestGeneratePaths: '' }),
    await inspect({ ...narrow, manifestGeneratePaths: '' }, { 'other/c.txt': 'changed' }),
  ]
  assert.equal(new Set([before, ...different]).size, different.length + 1)
})

test('the fingerprint changes with what the plugin receives of the application, and with nothing else of it', async () => {
  const variables = new Map([
    ['ARGOCD_APP_NAME', ''],
    ['ARGOCD_APP_NAMESPACE', ''],
    ['KUBE_VERSION', '1.34.0'],
  ] as const)
  const reported = testPlugin('p', { variables })
  await using fixture = new RenderFixture(tools, files, testPlugins(reported))
  const fingerprint = async (source: RenderSource) => (await fixture.inspect(source)).fingerprint
  const before = await fixture.inspect(narrow)
  assert.deepEqual(
    [...before.pluginVariables],
    [
      ['ARGOCD_APP_NAME', 'web'],
      ['ARGOCD_APP_NAMESPACE', ''],
      ['KUBE_VERSION', '1.34.0'],
    ],
  )
  assert.notEqual(
    await fingerprint({ ...narrow, instance: { name: 'other', project: 'default' } }),
    before.fingerprint,
  )
  assert.notEqual(await fingerprint({ ...narrow, destinationNamespace: 'other' }), before.fingerprint)
  assert.equal(
    await fingerprint({ ...narrow, instance: { name: 'web', project: 'other' } }),
    before.fingerprint,
  )
  const recorded = { name: '', project: '', recorded: Object.fromEntries(before.pluginVariables) }
  assert.equal(await fingerprint({ ...narrow, instance: recorded }), before.fingerprint)
  const env = [{ name: 'RELEASE', value: '$ARGOCD_APP_NAME-$ARGOCD_APP_PROJECT_NAME' }]
  const used = { ...narrow, options: { plugin: { name: 'p', env } } }
  await fixture.render(used)
  assert.deepEqual(
    reported.generated[0]?.variables.filter(({ name }) => /^(?:ARGOCD_ENV|KUBE|ARGOCD_APP_NAME)/.test(name)),
    [
      { name: 'ARGOCD_APP_NAME', value: 'web' },
      { name: 'ARGOCD_APP_NAMESPACE', value: '' },
      { name: 'KUBE_VERSION', value: '1.34.0' },
      { name: 'ARGOCD_ENV_RELEASE', value: 'web-' },
    ],
  )
  assert.match(
    (await fixture.inspect(used)).warnings.join(),
    /variable ARGOCD_APP_PROJECT_NAME is not available.*--plugin-variables "p=ARGOCD_APP_PROJECT_NAME"/,
  )
})

test('the revision is in the fingerprint when the whole repository is an input or a value of plugin.env holds it', async () => {
  await using fixture = new RenderFixture(tools, files, testPlugins(testPlugin('p')))
  const steady = ['ARGOCD_APP_SOURCE_PATH', 'ARGOCD_APP_SOURCE_REPO_URL', 'ARGOCD_APP_SOURCE_TARGET_REVISION']
  assert.deepEqual((await fixture.inspect(narrow)).variables, steady)
  assert.deepEqual((await fixture.inspect(whole)).variables, [
    'ARGOCD_APP_REVISION',
    'ARGOCD_APP_REVISION_SHORT',
    'ARGOCD_APP_REVISION_SHORT_8',
    ...steady,
  ])
  const env = [{ name: 'A', value: '$ARGOCD_APP_REVISION_SHORT_8' }]
  const used = await fixture.inspect({ ...narrow, options: { plugin: { name: 'p', env } } })
  assert.deepEqual(used.variables, ['ARGOCD_APP_REVISION_SHORT_8', ...steady])
})

test('manifests that show the revision are rendered again at every commit, others are not', async () => {
  const fingerprints: string[] = []
  const plugin = changing('plain', `v-${testRevision}`, 'image:0123456', 'image:0123456')
  await using fixture = new RenderFixture(tools, files, testPlugins(plugin))
  const tree = openDirectoryTree(fixture.directory)
  const inspection = await fixture.inspect(narrow)
  for (const expected of [false, true, true]) {
    const rendered = await renderSource(tree, inspection, fixture.context(narrow))
    assert.equal(rendered.widened, expected)
    fingerprints.push(rendered.fingerprint)
  }
  const [plain, shown, shortened] = fingerprints
  assert.equal(plain, inspection.fingerprint)
  assert.notEqual(shown, plain)
  assert.equal(shown, shortened)
  assert.equal(await inspection.widenedFingerprint(tree, testRevision), shown)
  assert.notEqual(await inspection.widenedFingerprint(tree, otherRevision), shown)
  // With the whole repository as input the revision is included from the start.
  assert.equal((await fixture.render(whole)).widened, false)
})

test('a cached inspection gives the plugin the revision that it is used for', async () => {
  await using fixture = new RenderFixture(tools, files, testPlugins(testPlugin('p')))
  const cache = new InspectionCache()
  const inspect = async (revision: string) =>
    await cache.inspect(openDirectoryTree(fixture.directory), narrow, revision, fixture.tools, strictPolicy)
  const first = await inspect(testRevision)
  fixture.write('other/c.txt', 'changed')
  const second = await inspect(otherRevision)
  assert.equal(second.reads, first.reads)
  assert.deepEqual([revisionReported(first), revisionReported(second)], [testRevision, otherRevision])
  assert.equal(second.fingerprint, first.fingerprint)
})

test('a remembered inspection is not used once a plugin comes or changes', async () => {
  await using fixture = new RenderFixture(tools, files)
  const cache = new InspectionCache()
  const tree = openDirectoryTree(fixture.directory)
  const inspect = async (...plugins: Plugin[]) => {
    const renderers = { ...tools, plugins: testPlugins(...plugins) }
    const { renderer, fingerprint } = await cache.inspect(
      tree,
      testSource('web'),
      testRevision,
      renderers,
      strictPolicy,
    )
    return [renderer, fingerprint]
  }
  const discovery = { by: 'fileName', pattern: 'a.txt' } as const
  const without = await inspect()
  const first = await inspect(testPlugin('p', { discovery, identity: '1' }))
  const second = await inspect(testPlugin('p', { discovery, identity: '2' }))
  assert.deepEqual([without[0], first[0], second[0]], ['directory', 'plugin', 'plugin'])
  assert.notEqual(second[1], first[1])
  assert.deepEqual(await inspect(), without)
})
