import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFoundError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { InspectionCache } from '../../inspection/inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { testPlugin, testPlugins } from './plugins-fixture.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../../run/render-fixture.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'

const tools = await testTools()

const files = {
  'apps/tanka/main.jsonnet': '{}\n',
  'apps/tanka/lib/deep/x.libsonnet': '{}\n',
  'apps/chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'apps/plain/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
}

function pluginOf({ plan }: SourceInspection): string | undefined {
  return plan.plugins[0]?.plugin.name
}

test('of sources without options, the first plugin whose rule matches gets one, and the tools get the others', async () => {
  const plugins = testPlugins(
    testPlugin('named'),
    testPlugin('absent', { discovery: { by: 'fileName', pattern: 'absent.txt' } }),
    testPlugin('deep', { discovery: { by: 'glob', pattern: '**/*.libsonnet' } }),
    testPlugin('main', { discovery: { by: 'fileName', pattern: 'main.*' } }),
  )
  await using fixture = new RenderFixture(tools, files, plugins)
  const found = []
  for (const path of ['apps/tanka', 'apps/chart', 'apps/plain']) {
    const inspection = await fixture.inspect(testSource(path))
    found.push([inspection.renderer, pluginOf(inspection)])
  }
  assert.deepEqual(found, [
    ['plugin', 'deep'],
    ['helm', undefined],
    ['directory', undefined],
  ])
  assert.equal((await fixture.inspect(testSource('apps/tanka', { directory: {} }))).renderer, 'directory')
})

test('a rule that is the plugin’s own is asked about the inputs of the source, and with the build variables alone', async () => {
  const remote = testPlugin('remote', {
    discovery: { by: 'remote' },
    match: async ({ path }) => path === 'apps/tanka',
  })
  await using fixture = new RenderFixture(tools, files, testPlugins(remote))
  const source = { ...testSource('apps/tanka'), manifestGeneratePaths: '.' }
  assert.equal(pluginOf(await fixture.inspect(source)), 'remote')
  const plain = await fixture.inspect(testSource('apps/plain'))
  assert.deepEqual([plain.renderer, plain.inputs], ['directory', ['apps/plain/a.yaml']])
  // What a plugin said no to may become its own with any commit.
  assert.deepEqual(
    plain.reads.map(([path]) => path),
    [''],
  )
  assert.deepEqual(
    remote.matched.map(({ inputs, path }) => [path, inputs]),
    [
      ['apps/tanka', ['apps/tanka']],
      ['apps/plain', ['']],
    ],
  )
  assert.deepEqual(
    remote.matched[0]?.variables.map(({ name }) => name),
    [
      'ARGOCD_APP_REVISION',
      'ARGOCD_APP_REVISION_SHORT',
      'ARGOCD_APP_REVISION_SHORT_8',
      'ARGOCD_APP_SOURCE_PATH',
      'ARGOCD_APP_SOURCE_REPO_URL',
      'ARGOCD_APP_SOURCE_TARGET_REVISION',
    ],
  )
})

test('a plugin that fails while it is asked fails the source instead of leaving it to Helm', async () => {
  const failing = testPlugin('failing', {
    discovery: { by: 'remote' },
    match: () => Promise.reject(new UnavailableError('failing does not answer')),
  })
  await using fixture = new RenderFixture(tools, files, testPlugins(failing))
  const unavailable = { name: 'UnavailableError', message: 'failing does not answer' }
  await assert.rejects(fixture.inspect(testSource('apps/chart')), unavailable)
  await assert.rejects(fixture.inspect(testSource('apps/chart', { plugin: {} })), unavailable)
  assert.equal((await fixture.inspect(testSource('apps/chart', { helm: {} }))).renderer, 'helm')
})

test('a named plugin without a discovery rule is taken unasked', async () => {
  const named = testPlugin('named')
  const first = testPlugin('first', { discovery: { by: 'fileName', pattern: '*' } })
  await using fixture = new RenderFixture(tools, files, testPlugins(first, named))
  assert.equal(
    pluginOf(await fixture.inspect(testSource('apps/chart', { plugin: { name: 'named' } }))),
    'named',
  )
  assert.equal(pluginOf(await fixture.inspect(testSource('apps/chart', { plugin: {} }))), 'first')
  assert.deepEqual(named.matched, [])
})

test('a named plugin whose rule does not match is refused with the rule and the way out', async () => {
  const byFile = testPlugin('tanka', { discovery: { by: 'fileName', pattern: 'main.jsonnet' } })
  const remote = testPlugin('remote', { discovery: { by: 'remote' }, match: async () => false })
  await using fixture = new RenderFixture(tools, files, testPlugins(byFile, remote))
  await assert.rejects(fixture.inspect(testSource('apps/chart', { plugin: { name: 'tanka' } })), {
    name: 'InvalidInputError',
    message:
      'source "apps/chart" names the plugin "tanka", but nothing in the directory matches its discovery rule fileName "main.jsonnet"; correct plugin.name or the source\'s path, or add what the rule looks for',
  })
  await assert.rejects(
    fixture.inspect(testSource('apps/chart', { plugin: { name: 'remote' } })),
    /"remote", but its discovery does not recognise the directory/,
  )
})

test('a plugin that does not exist is not found', async () => {
  await using fixture = new RenderFixture(tools, files)
  await assert.rejects(fixture.inspect(testSource('apps/chart', { plugin: { name: 'x' } })), {
    name: 'NotFoundError',
    message: 'no plugin "x": no plugins are configured; give them with --plugin or --plugin-sockets',
  })
})

test('a plugin block without a name that no plugin takes is an error that says of each why not', async () => {
  const plugins = testPlugins(
    testPlugin('a', { discovery: { by: 'glob', pattern: '**/x' } }),
    testPlugin('b'),
    testPlugin('c', { discovery: { by: 'remote' }, match: async () => false }),
  )
  await using fixture = new RenderFixture(tools, files, plugins)
  await assert.rejects(fixture.inspect(testSource('apps/chart', { plugin: {} })), (error) => {
    assert.ok(error instanceof NotFoundError)
    assert.deepEqual(error.message.split('\n'), [
      'no plugin matches source "apps/chart"; set plugin.name',
      'a: nothing in the directory matches its discovery rule glob "**/x"',
      'b: it has no discovery rule, so it must be named',
      'c: its discovery does not recognise the directory',
    ])
    return true
  })
})

test('what a rule looks for may be behind a symlink', async () => {
  const plugins = testPlugins(testPlugin('tanka', { discovery: { by: 'fileName', pattern: 'main.jsonnet' } }))
  await using fixture = new RenderFixture(tools, files, plugins)
  fixture.link('current', 'apps/tanka')
  assert.equal(pluginOf(await fixture.inspect(testSource('current'))), 'tanka')
})

test('a rule looks past a broken link, until something comes where it leads', async () => {
  const plugins = testPlugins(
    testPlugin('tanka', { discovery: { by: 'fileName', pattern: '*/main.jsonnet' } }),
  )
  await using fixture = new RenderFixture(tools, files, plugins)
  fixture.link('apps/plain/link', '../../absent')
  const cache = new InspectionCache()
  const inspect = async () => {
    const tree = openDirectoryTree(fixture.directory)
    return await cache.inspect(tree, testSource('apps/plain'), testRevision, fixture.tools, strictPolicy)
  }
  assert.equal((await inspect()).renderer, 'directory')
  fixture.write('absent/main.jsonnet', '{}')
  assert.equal(pluginOf(await inspect()), 'tanka')
})

test('what the operator keeps from plugins decides who takes a source, and what comes of it', async () => {
  const asked: (readonly string[] | undefined)[] = []
  const plugins = testPlugins(
    testPlugin('main', { discovery: { by: 'fileName', pattern: 'main.*' } }),
    testPlugin('deep', { discovery: { by: 'glob', pattern: '**/*.libsonnet' } }),
    testPlugin('remote', {
      discovery: { by: 'remote' },
      match: async ({ leftOut }) => {
        asked.push(leftOut)
        return true
      },
    }),
  )
  await using fixture = new RenderFixture(tools, files, plugins)
  const source = testSource('apps/tanka')
  const fingerprints = new Set<string>()
  const takenBy = async (...pluginTarExclude: string[]): Promise<string | undefined> => {
    const inspection = await fixture.inspect(source, { ...strictPolicy, pluginTarExclude })
    fingerprints.add(inspection.fingerprint)
    return pluginOf(inspection)
  }
  assert.equal(await takenBy(), 'main')
  assert.equal(await takenBy('*.md'), 'main')
  assert.equal(await takenBy('apps/*/main.jsonnet'), 'deep')
  for (const pattern of ['apps/tanka/lib', 'apps/tanka/*/deep', 'apps/tanka/lib/deep/*']) {
    assert.equal(await takenBy('apps/*/main.jsonnet', pattern), 'remote')
  }
  assert.deepEqual(asked.at(-1), ['apps/*/main.jsonnet', 'apps/tanka/lib/deep/*'])
  assert.equal(fingerprints.size, 6)
  const cache = new InspectionCache()
  const recalled = async (pluginTarExclude: string[]): Promise<string | undefined> => {
    const tree = openDirectoryTree(fixture.directory)
    const policy = { ...strictPolicy, pluginTarExclude }
    return pluginOf(await cache.inspect(tree, source, testRevision, fixture.tools, policy))
  }
  assert.deepEqual([await recalled([]), await recalled(['apps/*/main.jsonnet'])], ['main', 'deep'])
})
