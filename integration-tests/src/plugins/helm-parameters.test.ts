import assert from 'node:assert/strict'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import type { PluginCall } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { type RenderFixture, testSource } from '@wadi/rendering/run/render-fixture.ts'
import { showingChart } from './helm-chart-fixture.ts'
import { type ShippedPlugin, testPlugin } from './shipped-plugin-fixture.ts'

async function call(
  { plugins }: ShippedPlugin,
  repository: RenderFixture,
  variables: Readonly<Record<string, string>>,
) {
  const request: PluginCall = {
    tree: openDirectoryTree(repository.directory),
    inputs: [''],
    path: 'apps/web',
    variables: Object.entries({ ARGOCD_APP_SOURCE_PATH: 'apps/web', ...variables }).map(([name, value]) => ({
      name,
      value,
    })),
  }
  const plugin = await plugins.get('helm')
  return {
    announce: () => plugin.announce(request),
    generate: () => plugin.generate(request),
  }
}

testPlugin('helm', 'the Helm plugin announces every option of the native renderer', async (shipped) => {
  await using repository = shipped.repository(showingChart)
  const { announcements, warnings } = await (await call(shipped, repository, {})).announce()
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    announcements.map(({ name, collectionType, itemType }) =>
      [name, collectionType, itemType].join(' ').trim(),
    ),
    [
      'values-files array',
      'helm-parameters map',
      'values string multiline-string',
      'helm-string-parameters map',
      'helm-file-parameters map',
      'release-name string',
      'namespace string',
      'helm-version string',
      'kube-version string',
      'api-versions array',
      'skip-crds string boolean',
      'skip-tests string boolean',
      'skip-schema-validation string boolean',
      'pass-credentials string boolean',
      'ignore-missing-value-files string boolean',
    ],
  )
})

testPlugin(
  'helm',
  'the values of a chart are announced as they are written, with the files that are set',
  async (shipped) => {
    await using repository = shipped.repository(showingChart)
    const parameters = [
      { name: 'values-files', array: ['values-prod.yaml', '/shared/team.yaml', 'none.yaml'] },
      { name: 'values', string: 'list: [x, {y: 0644}]' },
    ]
    const asked = await call(shipped, repository, { ARGOCD_APP_PARAMETERS: JSON.stringify(parameters) })
    const { announcements } = await asked.announce()
    const [files, values] = announcements
    assert.deepEqual(files?.options, [
      'nested/.values-hidden.yaml',
      'values-a.yaml',
      'values-b.yaml',
      'values-prod.yaml',
      'values.yaml',
      '/shared/team.yaml',
      'none.yaml',
    ])
    assert.deepEqual(values?.default, {
      kind: 'map',
      entries: [
        ['color', 'blue'],
        ['list[0]', 'x'],
        ['list[1].y', '0644'],
        ['flag', 'no'],
        ['file', ''],
        ['base.size', '1.10'],
        ['other.size', '1.10'],
        ['other.example\\.com/team', 'core'],
        ['team', 'core'],
      ],
    })
  },
)

testPlugin(
  'helm',
  'a chart without values announces none, and one with wrong values says where',
  async (shipped) => {
    await using repository = shipped.repository({
      'apps/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    })
    const { announcements } = await (await call(shipped, repository, {})).announce()
    assert.deepEqual(announcements[1]?.default, { kind: 'map', entries: [] })
    repository.write('apps/web/values.yaml', 'a: [\n')
    await assert.rejects(
      (await call(shipped, repository, {})).announce(),
      /apps\/web\/values\.yaml: .*line 2/s,
    )
    repository.write('apps/web/values.yaml', '- a\n')
    await assert.rejects(
      (await call(shipped, repository, {})).announce(),
      /apps\/web\/values\.yaml: values must be an object/,
    )
  },
)

testPlugin(
  'helm',
  'what an application and its cluster say applies where no parameter is set, as in Argo CD',
  async (shipped) => {
    await using repository = shipped.repository(showingChart)
    const variables = {
      ARGOCD_APP_NAME: 'team_blue',
      ARGOCD_APP_NAMESPACE: 'ops',
      KUBE_VERSION: '1.30.2',
      KUBE_API_VERSIONS: 'example.com/v1,b/v1',
    }
    const { manifests } = await (await call(shipped, repository, variables)).generate()
    const shown = manifests.map((text) => JSON.parse(text)).find(({ kind }) => kind === 'ConfigMap')
    const { namespace, kube, has } = shown.data
    assert.deepEqual([shown.metadata.name, namespace, kube, has], ['blue-config', 'ops', 'v1.30.2', 'true'])
  },
)

testPlugin('helm', 'a variable that is no build variable is never filled in', async (shipped) => {
  await using repository = shipped.repository(showingChart)
  const color = '<$PATH$HOME${ARGOCD_APP_PARAMETERS}$ARGOCD_APP_SOURCE_PATH>'
  const parameters = [{ name: 'helm-parameters', map: { color } }]
  const asked = await call(shipped, repository, { ARGOCD_APP_PARAMETERS: JSON.stringify(parameters) })
  const { manifests } = await asked.generate()
  const shown = manifests.map((text) => JSON.parse(text)).find(({ kind }) => kind === 'ConfigMap')
  assert.equal(JSON.parse(shown.data.values).color, '<apps/web>')
})

testPlugin('helm', 'a parameter of the wrong kind or type is refused by name', async (shipped) => {
  await using repository = shipped.repository(showingChart)
  const refused = async (parameter: object, message: RegExp) => {
    const asked = await call(shipped, repository, { ARGOCD_APP_PARAMETERS: JSON.stringify([parameter]) })
    await assert.rejects(asked.generate(), message)
  }
  await refused(
    { name: 'values-files', string: 'values.yaml' },
    /parameter values-files is a list; set it with "array"/,
  )
  await refused(
    { name: 'helm-parameters', array: ['a=b'] },
    /parameter helm-parameters is a map; set it with "map"/,
  )
  await refused({ name: 'skip-crds', string: 'yes' }, /parameter skip-crds is "yes"; it is true or false/)
  await refused({ name: 'helm-version', string: 'v2' }, /helm version "v2" is not supported/)
})

testPlugin('helm', "a directory with a chart is the plugin's without being named", async (shipped) => {
  await using repository = shipped.repository(showingChart)
  const source = testSource('apps/web')
  assert.equal((await repository.inspect(source)).renderer, 'plugin')
  assert.equal((await repository.inspect(testSource('shared'))).renderer, 'directory')
  assert.deepEqual(
    (await repository.render(source)).manifests,
    (await repository.render(testSource('apps/web', { helm: {} }))).manifests,
  )
})
