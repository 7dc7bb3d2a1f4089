import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unplaced } from '@wadi/fields/field-places.ts'
import { testPlugin, testPlugins } from './plugins-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import { defaultRenderers } from '../renderers.ts'
import { parseSourceOptions } from '../../source/source-options.ts'

const tools = await testTools()
const plugins = testPlugins(testPlugin('p'))
const common = { group: '', itemType: '', warnings: [] } as const

test('parameters are in one form, wherever and however they are written', async () => {
  await using fixture = new RenderFixture(
    tools,
    {
      'web/.argocd-source.yaml': [
        'plugin:',
        '  parameters:',
        '  - {name: flat, array: [a], map: {k: v}}',
        '  - {name: listed, value: "1.10", group: g}',
        '  - {name: typed, value: {number: 12345678901234567890.10}}',
        '',
      ].join('\n'),
    },
    plugins,
  )
  const { options, warnings: reported } = await fixture.inspect(testSource('web', { plugin: { name: 'p' } }))
  const warnings = ['plugin.parameters[0]: sets an array and a map; the plugin is given all of them']
  assert.deepEqual(options.plugin?.parameters, [
    { ...common, name: 'flat', array: ['a'], map: [['k', 'v']], form: 'flat', warnings },
    { ...common, name: 'listed', group: 'g', string: '1.10', form: 'value' },
    { ...common, name: 'typed', string: '12345678901234567890.10', form: 'typed', itemType: 'number' },
  ])
  assert.deepEqual(reported.slice(1), warnings)
  const inline = parseSourceOptions(
    { plugin: { parameters: [{ name: 'flat', string: 'x' }] } },
    unplaced(''),
    defaultRenderers,
  )
  assert.deepEqual(inline, {
    plugin: { parameters: [{ ...common, name: 'flat', string: 'x', form: 'flat' }] },
  })
})

test('a file’s list replaces the Application’s, and null takes it away', async () => {
  const parameters = [{ ...common, name: 'inline', string: 'x', form: 'flat' }] as const
  for (const [text, names] of [
    ['plugin: {parameters: [{name: a, string: b}]}', ['a']],
    ['plugin: {parameters: null}', []],
    ['plugin: {parameters: []}', []],
    ['plugin: {env: []}', ['inline']],
  ] as const) {
    await using fixture = new RenderFixture(tools, { 'web/.argocd-source.yaml': text }, plugins)
    const { options } = await fixture.inspect(testSource('web', { plugin: { name: 'p', parameters } }))
    assert.deepEqual(
      options.plugin?.parameters?.map(({ name }) => name),
      names,
      text,
    )
  }
})

test('an unknown field of an override file is ignored with a warning', async () => {
  const text = 'plugin:\n  name: p\n  parametres: []\n'
  await using fixture = new RenderFixture(tools, { 'web/.argocd-source.yaml': text }, plugins)
  const { warnings } = await fixture.inspect(testSource('web'))
  assert.match(
    warnings.join(),
    /web\/\.argocd-source\.yaml:3: unknown field plugin\.parametres; did you mean parameters\? It is ignored/,
  )
})

for (const [text, message] of [
  [
    'plugin:\n  parameters:\n  - string: x\n',
    /^web\/\.argocd-source\.yaml:3: plugin\.parameters\[0\]: a parameter needs a name$/,
  ],
  [
    'plugin:\n  parameters:\n  - name: a\n  - name: b\n    array: 3\n',
    /^web\/\.argocd-source\.yaml:5: plugin\.parameters\[1\]\.array must be a list/,
  ],
  ['plugin:\n  parameters: x\n', /^web\/\.argocd-source\.yaml:2: plugin\.parameters must be a list/],
  ['plugin: 3\n', /^web\/\.argocd-source\.yaml:1: plugin must be an object, not a number$/],
] as const) {
  test(`the plugin options ${JSON.stringify(text)} are refused with file, line and index`, async () => {
    await using fixture = new RenderFixture(tools, { 'web/.argocd-source.yaml': text }, plugins)
    await assert.rejects(fixture.inspect(testSource('web')), { name: 'InvalidInputError', message })
  })
}
