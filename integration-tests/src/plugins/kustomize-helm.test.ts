import assert from 'node:assert/strict'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { type RenderFixture, testSource } from '@wadi/rendering/run/render-fixture.ts'
import { type ShippedPlugin, testPlugin } from './shipped-plugin-fixture.ts'

const files: Readonly<Record<string, string>> = {
  'app/kustomization.yaml':
    '# A comment.\nnamePrefix: my-\nhelmGlobals: {chartHome: vendored}\nhelmCharts:\n- name: pod\n  releaseName: front\n  valuesFile: front.yaml\n  valuesInline: {size: 2}\n- name: pod\n  releaseName: back\n  includeCRDs: true\n',
  'app/front.yaml': 'size: 9\ntag: "1.10"\n',
  'app/vendored/pod/Chart.yaml': 'apiVersion: v2\nname: pod\nversion: 1.0.0\n',
  'app/vendored/pod/values.yaml':
    'size: 1\ntag: "1.0"\nactive: yes\nhosts: [a.example.com, {name: b, port: 0644}, 9007199254740991]\nlabels: {example.com/team: core}\n',
  'app/vendored/pod/templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {values: {{ .Values | toJson | quote }}}\n',
  'plain/kustomization.yaml': 'resources: [config.yaml]\n',
  'plain/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n',
}

type Parameters = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The values with which each chart was rendered. */
async function render(shipped: ShippedPlugin, repository: RenderFixture, parameters: Parameters) {
  const written = Object.entries(parameters).map(([name, map]) => ({ name, map }))
  const manifests = await shipped.render(repository, 'app', written)
  return Object.fromEntries(
    manifests.map((text) => {
      const { metadata, data } = JSON.parse(text)
      return [String(metadata.name), JSON.parse(data.values)]
    }),
  )
}

testPlugin('kustomize-helm', 'the values of each chart are announced as a map', async (shipped) => {
  await using repository = shipped.repository(files)
  const plugin = await shipped.plugins.get('kustomize-helm')
  const tree = openDirectoryTree(repository.directory)
  const { announcements, warnings } = await plugin.announce({
    tree,
    inputs: [''],
    path: 'app',
    variables: [],
  })
  assert.deepEqual(warnings, [])
  const common = [
    ['active', 'yes'],
    ['hosts[0]', 'a.example.com'],
    ['hosts[1].name', 'b'],
    ['hosts[1].port', '0644'],
    ['hosts[2]', '9007199254740991'],
    ['labels.example\\.com/team', 'core'],
  ]
  assert.deepEqual(
    announcements.map(({ name, group, default: value }) => [name, group, value]),
    [
      ['front', 'front Helm chart', { kind: 'map', entries: [['size', '2'], ['tag', '1.10'], ...common] }],
      ['back', 'back Helm chart', { kind: 'map', entries: [['size', '1'], ['tag', '1.0'], ...common] }],
    ],
  )
})

testPlugin(
  'kustomize-helm',
  'parameters count over the values of the kustomization and keep the types of defaults',
  async (shipped) => {
    await using repository = shipped.repository(files)
    const { 'my-front': before, 'my-back': untouched } = await render(shipped, repository, {})
    const { 'my-front': front, 'my-back': back } = await render(shipped, repository, {
      front: {
        size: '3',
        tag: '2.20',
        active: 'off',
        'hosts[1].port': '8080',
        'hosts[3]': 'c',
        'labels.example\\.com/team': '12',
        'fresh.items': '[1, {a: b}]',
        'fresh.text': '"1"',
        '__proto__.a': 'b',
      },
    })
    assert.deepEqual([before.size, before.tag], [2, '1.10'])
    assert.deepEqual(back, untouched)
    assert.deepEqual(
      new Map(Object.entries(front)),
      new Map<string, unknown>([
        ['__proto__', { a: 'b' }],
        ['fresh', { items: [1, { a: 'b' }], text: '1' }],
        ['hosts', ['a.example.com', { name: 'b', port: 8080 }, 9007199254740991, 'c']],
        ['labels', { 'example.com/team': '12' }],
        ['active', false],
        ['size', 3],
        ['tag', '2.20'],
      ]),
    )
  },
)

testPlugin('kustomize-helm', 'a wrong parameter is refused with its path', async (shipped) => {
  await using repository = shipped.repository(files)
  const refused = async (map: Readonly<Record<string, string>>, message: RegExp) => {
    await assert.rejects(render(shipped, repository, { front: map }), message)
  }
  await refused({ 'hosts[9]': 'x' }, /hosts\[9\]: \[9\] is beyond the list, which has 3 items/)
  await refused({ 'a..b': 'x' }, /"a\.\.b" is not a path of a value/)
  await refused({ size: '[1' }, /parameter front: size: /)
  await assert.rejects(
    shipped.render(repository, 'app', [{ name: 'front', string: 'x' }]),
    /parameter front is a map; set it with "map"/,
  )
})

testPlugin(
  'kustomize-helm',
  'a chart that is not vendored is refused and not downloaded',
  async (shipped) => {
    await using repository = shipped.repository(files)
    repository.write(
      'app/kustomization.yaml',
      'helmCharts:\n- {name: far, repo: "https://charts.example.com", version: 1.0.0}\n',
    )
    await assert.rejects(
      render(shipped, repository, {}),
      /chart far is not in charts\/far-1\.0\.0\/far; put it there/,
    )
    repository.write(
      'app/kustomization.yaml',
      'helmGlobals: {chartHome: ../..}\nhelmCharts:\n- {name: pod}\n',
    )
    await assert.rejects(render(shipped, repository, {}), /is not in|leads out of/)
  },
)

testPlugin('kustomize-helm', 'what Helm says of a chart reaches the user', async (shipped) => {
  await using repository = shipped.repository(files)
  repository.write('app/vendored/pod/templates/bad.yaml', 'x: {{ fail "no way" }}\n')
  await assert.rejects(render(shipped, repository, {}), /pod\/templates\/bad\.yaml:1:6\): no way/)
})

testPlugin('kustomize-helm', 'kustomizations without charts are left to Kustomize', async (shipped) => {
  await using repository = shipped.repository(files)
  const renderers = ['app', 'plain'].map(
    async (path) => (await repository.inspect(testSource(path))).renderer,
  )
  assert.deepEqual(await Promise.all(renderers), ['plugin', 'kustomize'])
})
