import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { isMap, parseDocument } from 'yaml'
import { editYaml } from './edit-yaml.ts'
import { awkwardTexts, readYaml } from './yaml-texts-fixture.ts'

const path = ['plugin', 'parameters']

function withList(text: string, ...list: JsonValue[]): string {
  return editYaml(text, { path, value: list })
}

test('the last item that goes takes the list and the maps around it along', () => {
  const file = '# top\nplugin:\n  parameters:\n  - name: a\n    string: x\n'
  assert.equal(editYaml(file, { path, value: undefined }), '# top\n')
  assert.equal(editYaml(file.replace('# top\n', '---\n'), { path, value: undefined }), '')
  assert.equal(editYaml(`${file}helm: {}\n`, { path, value: undefined }), '# top\nhelm: {}\n')
  assert.equal(editYaml(file, { path: ['helm'], value: undefined }), file)
})

test('a file that is empty or has comments alone gets what is missing', () => {
  const expected = 'plugin:\n  parameters:\n    - name: a\n      string: "1"\n'
  for (const start of ['', '# only this\n', '---\n', '\n\n']) {
    assert.equal(withList(start, { name: 'a', string: '1' }), start + expected)
  }
  assert.equal(withList('# no end of line', { name: 'a', string: '1' }), `# no end of line\n${expected}`)
  assert.equal(withList('{}\n', { name: 'a', string: '1' }), expected)
  assert.equal(withList('null\n', { name: 'a', string: '1' }), expected)
})

for (const [before, after] of [
  ['plugin:\n', 'plugin:\n  parameters:\n    - a\n'],
  ['plugin: # todo\nhelm: {}\n', 'plugin: # todo\n  parameters:\n    - a\nhelm: {}\n'],
  ['plugin: null # gone\n', 'plugin: # gone\n  parameters:\n    - a\n'],
  ['plugin: {}\n', 'plugin:\n  parameters:\n    - a\n'],
  ['plugin: {name: x}\n', 'plugin: {name: x, "parameters": ["a"]}\n'],
  ['plugin:\n    name: x\n', 'plugin:\n    name: x\n    parameters:\n      - a\n'],
  ['plugin:\n  name: x', 'plugin:\n  name: x\n  parameters:\n    - a\n'],
  ['plugin:\n  parameters: ~\n  name: x\n', 'plugin:\n  parameters:\n    - a\n  name: x\n'],
  ['plugin:\n  parameters: []\n  name: x\n', 'plugin:\n  parameters:\n    - a\n  name: x\n'],
  ['plugin:\n  ? name\n  : x\n', 'plugin:\n  ? name\n  : x\n  parameters:\n    - a\n'],
  ['plugin:\n  name: |\n    x\n\n  # c\n', 'plugin:\n  name: |\n    x\n  parameters:\n    - a\n\n  # c\n'],
  [
    'plugin:\tname: x\n'.replace('\tname: x', '\n  name:\tx'),
    'plugin:\n  name:\tx\n  parameters:\n    - a\n',
  ],
  ['{"plugin":{"name":"x"}}', '{"plugin":{"name":"x", "parameters": ["a"]}}'],
  [
    '{\n  "plugin": {\n    "name": "x"\n  }\n}\n',
    '{\n  "plugin": {\n    "name": "x",\n    "parameters": ["a"]\n  }\n}\n',
  ],
  ['"plugin":\r\n  name: x\r\n', '"plugin":\r\n  name: x\r\n  parameters:\r\n    - a\r\n'],
  ['\ufeffplugin:\n  name: x\n', '\ufeffplugin:\n  name: x\n  parameters:\n    - a\n'],
] as const) {
  test(`a list is put into ${JSON.stringify(before)}`, () => {
    const edited = withList(before, 'a')
    assert.equal(edited, after)
    assert.deepEqual(readYaml(edited, path), ['a'])
  })
}

for (const [before, after] of [
  ['{"helm": {"a": 1, "b": [2]}, "x": 1}', '{"helm": {"b": [2]}, "x": 1}'],
  ['{"helm": {"b": 1, "a": [2]}}', '{"helm": {"b": 1}}'],
  ['{"helm": {"a": {"z": 1}}, "x": 1}\n', '{"x": 1}\n'],
  ['{"helm": {"a": 1}}\n', ''],
  ['helm: {a: 1}\n# end\n', '# end\n'],
  ['helm:\n  a: |+\n    x\n\n  b: 2\n', 'helm:\n  b: 2\n'],
  ['helm:\n  # why\n  a: 1 # so\n  b: 2\n', 'helm:\n  b: 2\n'],
  ['helm:\n  b: 2\n\n  # why\n  a:\n  - 1\n\n  # last\n', 'helm:\n  b: 2\n\n\n  # last\n'],
] as const) {
  test(`an option is taken out of ${JSON.stringify(before)}`, () => {
    assert.equal(editYaml(before, { path: ['helm', 'a'], value: undefined }), after)
  })
}

for (const [before, value, after] of [
  ['helm: {a: 1}\n', 'x', 'helm: {a: "x"}\n'],
  ['helm: {a}\n', 'x', 'helm: {a: "x"}\n'],
  ['helm: {a: }\n', 'x', 'helm: {a: "x" }\n'],
  ["helm:\n  a: 'y' # c\n", 'x', 'helm:\n  a: x # c\n'],
  ['helm:\n  a: y # c\n  b: 1\n', 'x\ny', 'helm:\n  a: |- # c\n    x\n    y\n  b: 1\n'],
  ['helm:\n  a: |\n    y\n  b: 1\n', 'x', 'helm:\n  a: x\n  b: 1\n'],
  ['helm:\n  a: >-\n    y\n    z', 'x\n', 'helm:\n  a: |\n    x\n'],
  ['helm:\n  a:\n  - y\n  b: 1\n', null, 'helm:\n  a: null\n  b: 1\n'],
  ['helm:\n  a: "y\n    z"\n  b: 1\n', 3, 'helm:\n  a: 3\n  b: 1\n'],
  ['helm:\n  a: &x y\n', 'z', 'helm:\n  a: &x z\n'],
  ['helm:\n  a:\n  b: 1\n', 'z', 'helm:\n  a: z\n  b: 1\n'],
] as const) {
  test(`${JSON.stringify(value)} is set in ${JSON.stringify(before)}`, () => {
    const edited = editYaml(before, { path: ['helm', 'a'], value })
    assert.equal(edited, after)
    assert.deepEqual(readYaml(edited, ['helm', 'a']), value)
  })
}

test('any text is read back as it is, by readers of YAML 1.1 and 1.2, in block and in flow', () => {
  for (const start of [
    '',
    'helm: {z: 1}\n',
    'helm:\r\n  z: 1\r\n',
    '{"helm": {"z": 1}}',
    'helm:\n  a: |\n    old\n  z: 1\n',
  ]) {
    for (const text of awkwardTexts) {
      const edited = editYaml(start, { path: ['helm', 'a'], value: text })
      assert.equal(readYaml(edited, ['helm', 'a']), text, JSON.stringify([edited, text]))
      for (const version of ['1.1', '1.2'] as const) {
        const helm = parseDocument(edited, { version }).get('helm')
        assert.equal(isMap(helm) && helm.get('a'), text, edited)
      }
      const list = editYaml(start, { path: ['helm', 'a'], value: [text, { name: text, map: { x: text } }] })
      assert.deepEqual(readYaml(list, ['helm', 'a']), [text, { name: text, map: { x: text } }])
    }
  }
})

test('any text can be a key', () => {
  for (const text of awkwardTexts) {
    for (const start of ['', '{"helm": {"z": 1}}', 'helm:\n  z: 1\n']) {
      const edited = editYaml(start, { path: ['helm', text], value: 'v' })
      const value = readYaml(edited, ['helm'])
      assert.deepEqual(
        value,
        JSON.parse(`{${start === '' ? '' : '"z":1,'}${JSON.stringify(text)}:"v"}`),
        edited,
      )
    }
  }
})
