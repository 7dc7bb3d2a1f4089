import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unplaced } from '@wadi/fields/field-places.ts'
import { readGoFields } from '@wadi/fields/go-fields.ts'
import { parseConfigs } from './config-file.ts'
import { testPlugin, testPlugins } from '../renderers/plugin/plugins-fixture.ts'
import { RenderFixture, testSource, testTools } from '../run/render-fixture.ts'
import { defaultRenderers } from '../renderers/renderers.ts'
import { sourceOptionSchema } from './source-options.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { SourceOptions } from './source.ts'

const tools = await testTools()

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {msg: {{ .Values.msg | quote }}}\n',
}

const schema = sourceOptionSchema(defaultRenderers)

const file = '.argocd-source.yaml'

async function optionsWith(text: string, inline: SourceOptions = {}): Promise<SourceOptions> {
  await using fixture = new RenderFixture(tools, { ...chart, [childPath('web', file)]: text })
  return (await fixture.inspect(testSource('web', inline))).options
}

test('the file of argocd-image-updater, whose field names are in lower case, decides what is rendered', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'web/.argocd-source-web.yaml':
      'helm:\n  parameters:\n  - name: msg\n    value: "0012"\n    forcestring: true\n',
  })
  const { manifests } = await fixture.render(testSource('web'))
  assert.match(manifests.join('\n'), /"msg":"0012"/)
})

for (const [text, options] of [
  ['HELM:\n  releasename: a\n', { helm: { releaseName: 'a' } }],
  ['Helm:\n  releaseName: a\nhelm:\n  skipCrds: true\n', { helm: { releaseName: 'a', skipCrds: true } }],
  // Of several names for one field the last in order of bytes is read.
  ['helm:\n  releasename: low\n  releaseName: exact\n', { helm: { releaseName: 'low' } }],
  ['helm:\n  ReleaseName: high\n  releaseName: exact\n', { helm: { releaseName: 'exact' } }],
  ['kustomize:\n  ſortOrder: x\n  nameprefix: p-\n', { kustomize: { namePrefix: 'p-' } }],
  // Keys of maps and values of charts are data.
  ['kustomize:\n  commonlabels: {App: x, app: z}\n', { kustomize: { commonLabels: { App: 'x', app: 'z' } } }],
  ['helm:\n  valuesobject: {Image: {Tag: t}}\n', { helm: { valuesObject: { Image: { Tag: 't' } } } }],
  [
    'directory:\n  jsonnet:\n    tlas:\n    - {Name: a, VALUE: b, code: null}\n',
    { directory: { jsonnet: { tlas: [{ name: 'a', value: 'b' }] } } },
  ],
  ['plugin:\n  ENV:\n  - {NAME: A, value: b}\n', { plugin: { env: [{ name: 'A', value: 'b' }] } }],
] as const) {
  test(`the names of fields are read as Go reads them: ${JSON.stringify(text)}`, () => {
    const document: unknown = parseConfigs(text, file)[0]?.value
    assert.deepEqual(readGoFields(schema, document, {}, unplaced('')).patch, options)
  })
}

test('many unknown fields are named up to ten and counted', async () => {
  const fields = Array.from({ length: 1_000 }, (_, index) => `  x${index}: 1\n`).join('')
  await using fixture = new RenderFixture(tools, { ...chart, [childPath('web', file)]: `helm:\n${fields}` })
  const { warnings } = await fixture.inspect(testSource('web'))
  assert.equal(warnings.length, 11)
  assert.equal(warnings.at(-1), 'web/.argocd-source.yaml: 990 more unknown fields are ignored')
})

test('parameters of a plugin in the Application stay beside another spelling in the file', async () => {
  const parameters = [
    { name: 'x', group: '', string: '1.10', form: 'flat', itemType: '', warnings: [] },
  ] as const
  await using fixture = new RenderFixture(
    tools,
    { [childPath('web', file)]: 'plugin:\n  Env: [{name: A, value: b}]\n' },
    testPlugins(testPlugin('p')),
  )
  const { options } = await fixture.inspect(testSource('web', { plugin: { name: 'p', parameters } }))
  assert.deepEqual(options.plugin, { name: 'p', parameters, env: [{ name: 'A', value: 'b' }] })
})

test('the file of an Application in another namespace has the namespace in its name', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'web/.argocd-source-team_web.yaml': 'helm: {releasename: of-team}\n',
    'web/.argocd-source-web.yaml': 'helm: {releasename: of-web}\n',
  })
  const inspect = async (applicationName: string) => {
    const { options, originOf } = await fixture.inspect({ ...testSource('web'), applicationName })
    return [options, originOf(['helm', 'releaseName'])]
  }
  const at = (name: string) => ({ kind: 'git', file: `web/.argocd-source-${name}.yaml`, line: 1 })
  assert.deepEqual(await inspect('team_web'), [{ helm: { releaseName: 'of-team' } }, at('team_web')])
  assert.deepEqual(await inspect('web'), [{ helm: { releaseName: 'of-web' } }, at('web')])
})

test('a file is merged over the Application by exact names before names count in any case', async () => {
  const inline = { helm: { releaseName: 'inline', skipTests: true } }
  assert.deepEqual(await optionsWith('helm:\n  releaseName: null\n', inline), { helm: { skipTests: true } })
  assert.deepEqual(await optionsWith('helm:\n  releasename: null\n', inline), inline)
  assert.deepEqual(await optionsWith('Helm:\n  releaseName: null\n', inline), inline)
  assert.deepEqual(await optionsWith('helm:\n  releasename: file\n', inline), {
    helm: { releaseName: 'file', skipTests: true },
  })
  // `Helm` comes before `helm`, which the Application has.
  assert.deepEqual(await optionsWith('Helm:\n  releaseName: file\n  skipCrds: true\n', inline), {
    helm: { releaseName: 'inline', skipTests: true, skipCrds: true },
  })
})
