import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPlugin, testPlugins } from '../renderers/plugin/plugins-fixture.ts'
import { RenderFixture, testSource, testTools } from '../run/render-fixture.ts'

const tools = await testTools()

test('every option is known by the last place that decides it, lists as a whole and maps by key', async () => {
  await using fixture = new RenderFixture(tools, {
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/.argocd-source.yaml': [
      'helm:',
      '  releaseName: from-file',
      '  namespace: null',
      '  valuesObject:',
      '    image: {tag: one, name: web}',
      '    kept: true',
      '  parameters:',
      '  - name: a',
      '    value: b',
      '  - name: c',
      '    value: d',
      '',
    ].join('\n'),
    'web/.argocd-source-web.yaml':
      'helm:\n  parameters: [{name: e}]\n  valuesObject:\n    image:\n      tag: two\n',
  })
  const helm = {
    releaseName: 'inline',
    namespace: 'inline',
    skipTests: true,
    valuesObject: { image: 'inline' },
  }
  const { originOf } = await fixture.inspect(testSource('web', { helm }))
  const file = 'web/.argocd-source.yaml'
  const own = 'web/.argocd-source-web.yaml'
  for (const [path, origin] of [
    [['helm', 'skipTests'], { kind: 'application', file: '', line: 0 }],
    [['helm', 'releaseName'], { kind: 'git', file, line: 2 }],
    [['helm', 'namespace'], undefined],
    [['helm', 'valuesObject', 'image', 'tag'], { kind: 'git', file: own, line: 5 }],
    [['helm', 'valuesObject', 'image', 'name'], { kind: 'git', file, line: 5 }],
    [['helm', 'valuesObject', 'kept'], { kind: 'git', file, line: 6 }],
    [['helm', 'parameters'], { kind: 'git', file: own, line: 2 }],
    [['helm', 'parameters', 0, 'value'], { kind: 'git', file: own, line: 2 }],
    [['helm', 'parameters', 1], undefined],
    [['helm', 'version'], undefined],
    [['kustomize', 'namePrefix'], undefined],
  ] as const) {
    assert.deepEqual(originOf(path), origin, path.join('.'))
  }
})

test('a plugin’s parameters are known by their place in the list that applies', async () => {
  await using fixture = new RenderFixture(
    tools,
    {
      'web/.argocd-source.yaml':
        'plugin:\n  name: p\n  parameters:\n  - name: a\n    value: one\n  - name: b\n    map:\n      k: v\n',
    },
    testPlugins(testPlugin('p')),
  )
  const inline = [{ name: 'x', group: '', string: 'y', form: 'flat', itemType: '', warnings: [] }] as const
  const source = testSource('web', { plugin: { env: [{ name: 'A' }], parameters: inline } })
  const { originOf } = await fixture.inspect(source)
  const at = (line: number) => ({ kind: 'git', file: 'web/.argocd-source.yaml', line })
  assert.deepEqual(originOf(['plugin', 'parameters', 0]), at(4))
  assert.deepEqual(originOf(['plugin', 'parameters', 1]), at(6))
  assert.deepEqual(originOf(['plugin', 'parameters', 1, 'map', 'k']), at(8))
  assert.equal(originOf(['plugin', 'parameters', 2]), undefined)
  assert.deepEqual(originOf(['plugin', 'env', 0]), { kind: 'application', file: '', line: 0 })
})
