import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import type { PluginVariable } from './plugins.ts'
import { configMap, testPlugin, testPlugins } from './plugins-fixture.ts'
import {
  RenderFixture,
  testRevision,
  testSource,
  testTools,
  reportedParameters,
} from '../../run/render-fixture.ts'
import { renderSource } from '../../run/render-source.ts'
import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'

const tools = await testTools()
const files = {
  'apps/web/a.txt': 'a',
  'apps/web/.argocd-source.yaml': [
    'plugin:',
    '  name: p',
    '  env:',
    '  - {name: STAGE, value: "prod-${ARGOCD_APP_SOURCE_TARGET_REVISION}-$NOBODY"}',
    '  - {name: EMPTY}',
    '  parameters:',
    '  - name: replicas',
    '    string: "3"',
    '  - name: hosts',
    '    array: [a, b]',
    '',
  ].join('\n'),
}
const source = testSource('apps/web')

test('a plugin’s objects come out sorted, with its identity and the command that repeats the render', async () => {
  const plugin = testPlugin('p', {
    identity: 'sha256:1',
    generate: async ({ tree, path }) => ({
      manifests: [
        configMap('z', { file: (await tree.read(`${path}/a.txt`, 10)).toString() }),
        '{"kind":"List","apiVersion":"v1","items":[{"kind":"Secret","apiVersion":"v1","metadata":{"name":"b"}}]}',
        configMap('a'),
      ],
      warnings: ['b is odd'],
    }),
  })
  await using fixture = new RenderFixture(tools, files, testPlugins(plugin))
  const { fingerprint, ...rendered } = await fixture.render(source)
  assert.deepEqual(
    reportedParameters(rendered).map(({ of, path, value, from }) => [
      of,
      path,
      value,
      from?.file,
      from?.line,
    ]),
    [
      ['parameters of plugin "p"', '.replicas', '3', 'apps/web/.argocd-source.yaml', 7],
      ['parameters of plugin "p"', '.hosts', ['a', 'b'], 'apps/web/.argocd-source.yaml', 9],
    ],
  )
  assert.deepEqual(rendered, {
    manifests: [
      configMap('a'),
      '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"b"}}',
      configMap('z', { file: 'a' }),
    ],
    files: [],
    record: create(RenderRecordSchema, {
      commands: ['wadi render apps/web'],
      tools: [{ name: 'plugin p', version: 'sha256:1' }],
      warnings: ['plugin p: b is odd'],
      parameters: rendered.record.parameters,
      printed: [2, 1, 0],
    }),
    widened: false,
  })
  assert.equal(fingerprint, (await fixture.inspect(source)).fingerprint)
})

test('a plugin receives the build variables, those of the source and the parameters, in Argo CD’s order', async () => {
  const plugin = testPlugin('p')
  await using fixture = new RenderFixture(tools, files, testPlugins(plugin))
  const { warnings } = await fixture.inspect(source)
  await fixture.render(source)
  assert.deepEqual(
    plugin.generated[0]?.variables.map(({ name, value }) => `${name}=${value}`),
    [
      `ARGOCD_APP_REVISION=${testRevision}`,
      'ARGOCD_APP_REVISION_SHORT=0123456',
      'ARGOCD_APP_REVISION_SHORT_8=01234567',
      'ARGOCD_APP_SOURCE_PATH=apps/web',
      'ARGOCD_APP_SOURCE_REPO_URL=https://git.example.com/team/apps.git',
      'ARGOCD_APP_SOURCE_TARGET_REVISION=main',
      'ARGOCD_ENV_STAGE=prod-main-',
      'ARGOCD_ENV_EMPTY=',
      'ARGOCD_APP_PARAMETERS=[{"name":"replicas","string":"3"},{"array":["a","b"],"name":"hosts"}]',
      'PARAM_REPLICAS=3',
      'PARAM_HOSTS_0=a',
      'PARAM_HOSTS_1=b',
    ],
  )
  assert.deepEqual(warnings, [
    'variable NOBODY is not available during hydration, so it was replaced with an empty string',
  ])
})

test('a plugin block without parameters is reported as null, and no block not at all', async () => {
  const plugin = testPlugin('p', { discovery: { by: 'fileName', pattern: '*.yaml' } })
  await using fixture = new RenderFixture(tools, { 'web/a.yaml': 'a' }, testPlugins(plugin))
  await fixture.render(testSource('web', { plugin: {} }))
  await fixture.render(testSource('web'))
  const reported = plugin.generated.map(
    ({ variables }) => variables.find(({ name }) => name === 'ARGOCD_APP_PARAMETERS')?.value,
  )
  assert.deepEqual(reported, ['null', undefined])
})

test('credentials reach a plugin that wants them, and only while it generates', async () => {
  const wanting = testPlugin('wanting', { wantsGitCredentials: true, discovery: { by: 'remote' } })
  const other = testPlugin('other')
  const credentials: PluginVariable[] = [{ name: 'GIT_ASKPASS', value: 'argocd' }]
  await using fixture = new RenderFixture(tools, files, testPlugins(wanting, other))
  let asked = 0
  for (const { name } of [wanting, other]) {
    const named = { ...source, path: 'apps', options: { plugin: { name } } }
    const tree = openDirectoryTree(fixture.directory)
    await renderSource(tree, await fixture.inspect(named), {
      ...fixture.context(named),
      gitCredentials: async () => {
        asked += 1
        return credentials
      },
    })
  }
  const holds = (variables: readonly PluginVariable[] = []) =>
    variables.some(({ name }) => name === 'GIT_ASKPASS')
  assert.equal(asked, 1)
  assert.equal(holds(wanting.generated[0]?.variables), true)
  assert.equal(holds(wanting.matched[0]?.variables), false)
  assert.equal(holds(other.generated[0]?.variables), false)
})

test('empty output is accepted with a warning', async () => {
  const plugin = testPlugin('p', { generate: async () => ({ manifests: ['', 'null'], warnings: [] }) })
  await using fixture = new RenderFixture(tools, files, testPlugins(plugin))
  const { manifests, record } = await fixture.render(source)
  assert.deepEqual(manifests, [])
  assert.deepEqual(record.warnings, [
    'plugin p printed no manifests for apps/web, so there is nothing to apply',
  ])
})

test('what is not a Kubernetes object is refused with the plugin, the path and the object', async () => {
  const plugin = testPlugin('p', {
    generate: async () => ({ manifests: [configMap('a'), '{"apiVersion":"v1"}'], warnings: [] }),
  })
  await using fixture = new RenderFixture(tools, files, testPlugins(plugin))
  await assert.rejects(fixture.render(source), {
    name: 'InvalidInputError',
    message: /^output of plugin p for apps\/web, object 2:1: /,
  })
})

test('output above a limit is refused', async () => {
  const plugin = testPlugin('p', {
    generate: async () => ({ manifests: [configMap('a'), configMap('b')], warnings: [] }),
  })
  await using fixture = new RenderFixture(tools, files, testPlugins(plugin))
  const size = 2 * configMap('a').length
  await assert.rejects(fixture.render(source, { toolOutputBytes: size - 1 }), ResourceExhaustedError)
  await assert.rejects(fixture.render(source, { manifestBytes: size - 1 }), ResourceExhaustedError)
  assert.equal(
    (await fixture.render(source, { toolOutputBytes: size, manifestBytes: size })).manifests.length,
    2,
  )
})

test('a plugin that takes too long is stopped and named', async () => {
  const plugin = testPlugin('slow', {
    generate: ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('stopped')))
      }),
  })
  await using fixture = new RenderFixture(tools, { 'web/a': 'a' }, testPlugins(plugin))
  const named = testSource('web', { plugin: { name: 'slow' } })
  await assert.rejects(fixture.render(named, { timeoutMilliseconds: 20 }), {
    name: 'TimeLimitError',
    message: 'plugin slow did not finish web within 0.02 s and was stopped',
  })
})

test('what is written oddly is a warning, and an error when the plugin is strict, before it runs', async () => {
  const options = `plugin:
  name: p
  parameters:
  - {name: labels, map: [{name: a, value: one}, {name: a, value: two}]}
`
  const render = async (isStrict: boolean) => {
    const plugin = testPlugin('p', { isStrict })
    await using fixture = new RenderFixture(
      tools,
      { ...files, 'apps/web/.argocd-source.yaml': options },
      testPlugins(plugin),
    )
    const { warnings } = await fixture.inspect(source)
    assert.match(warnings.join('\n'), /plugin\.parameters\[0\].*"a"/)
    const outcome = await fixture.render(source).catch((error: unknown) => error)
    return { outcome, runs: plugin.generated.length }
  }
  assert.equal((await render(false)).runs, 1)
  const { outcome, runs } = await render(true)
  assert.equal(runs, 0)
  assert.match(
    String(outcome),
    /InvalidInputError: source "apps\/web": plugin p is strict .*parameters\[0\].*"a"/,
  )
})

test('the result of a plugin that changed since the inspection is not taken for that of the previous plugin', async () => {
  const plugin = testPlugin('p', { identity: 'one', generate: async () => ({ identity: 'two' }) })
  await using fixture = new RenderFixture(tools, files, testPlugins(plugin))
  const rendered = await fixture.render(source)
  assert.notEqual(rendered.fingerprint, (await fixture.inspect(source)).fingerprint)
  assert.deepEqual(
    rendered.record.tools.map(({ name, version }) => [name, version]),
    [['plugin p', 'two']],
  )
})
