import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { type YamlChange, editYaml } from './edit-yaml.ts'
import { awkwardTexts, readYaml } from './yaml-texts-fixture.ts'

const path = ['plugin', 'parameters']

const commented = `# what the team sets
plugin:
  name:   'tool'   # the tool
  parameters:
      # the image
      - name: image   # which
        string:  "v1"    # tag
      - {name: flag, string: 'on'}

      # hosts of the site
      - name: hosts
        array:
        - a
        - "b"
  # end of the plugin
path: ignored
`

function set(text: string, ...items: readonly [was: number | undefined, value?: JsonValue][]): string {
  return editYaml(text, { path, items: items.map(([was, value = null]) => ({ was, value })) })
}

test('a changed field of an item is the only thing that changes in the file', () => {
  const edited = set(commented, [0, null], [undefined, { name: 'flag', string: 'off' }], [2])
  assert.equal(edited, commented.replace("string: 'on'", 'string: "off"'))
  const image = set(commented, [undefined, { name: 'image', string: '2' }], [1], [2])
  assert.equal(image, commented.replace('"v1"    # tag', `"2"    # tag`))
})

test('an item is appended behind the last one and in its column', () => {
  const added = { name: 'map', map: { 'a.b': 'x', on: 'yes' } }
  assert.equal(
    set(commented, [0], [1], [2], [undefined, added]),
    commented.replace(
      '        - "b"\n',
      '        - "b"\n      - name: map\n        map:\n          a.b: x\n          "on": "yes"\n',
    ),
  )
})

test('a removed item takes the comment right above it along', () => {
  assert.equal(
    set(commented, [0], [1]),
    commented.replace(
      '      # hosts of the site\n      - name: hosts\n        array:\n        - a\n        - "b"\n',
      '',
    ),
  )
  assert.equal(set(commented, [2]), commented.replace(/ {6}# the image\n[^]*?'on'\}\n/, ''))
})

test('a flow list keeps the text of its items and its way of breaking lines', () => {
  const flow = 'plugin: {parameters: [{name: a,  string: x}, {name: b}, {name: c} ]}\n'
  assert.equal(
    set(flow, [0], [2], [undefined, { name: 'd', string: '1' }]),
    'plugin: {parameters: [{name: a,  string: x}, {name: c}, {"name":"d","string":"1"} ]}\n',
  )
  const lines = '{"plugin": {"parameters": [\n  {"name": "a"},\n  {"name": "b"}\n]}}\n'
  assert.equal(
    set(lines, [undefined, { name: 'z' }], [1], [undefined, { name: 'c' }]),
    '{"plugin": {"parameters": [\n  {"name":"z"},\n  {"name": "b"},\n  {"name":"c"}\n]}}\n',
  )
})

test('changes made one after the other mean the same as changes of the value', () => {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let round = 0; round < 300; round += 1) {
    let text =
      ['', commented, '{"plugin": {"parameters": [{"name": "a"}]}}', commented.replaceAll('\n', '\r\n')][
        random(4)
      ] ?? ''
    for (let step = 0; step < 6; step += 1) {
      const before = readYaml(text, path)
      const list: JsonValue[] = Array.isArray(before) ? before : []
      const kept = list.map((value, was) => ({ value, was })).filter(() => random(4) > 0)
      const items: { value: JsonValue; was: number | undefined }[] = kept.flatMap((item) => {
        const fresh = {
          value: { name: `n${random(9)}`, string: awkwardTexts[random(awkwardTexts.length)] ?? '' },
          was: undefined,
        }
        return [[item], [fresh], [fresh, item], [item, fresh]][random(4)] ?? []
      })
      if (random(3) === 0) items.push({ value: { name: 'last', array: ['1', 'x\ny'] }, was: undefined })
      const change: YamlChange = items.length === 0 ? { path, value: undefined } : { path, items }
      const edited = editYaml(text, change)
      const wanted = items.length === 0 ? undefined : items.map(({ value }) => value)
      assert.deepEqual(readYaml(edited, path), wanted, JSON.stringify([text, change, edited]))
      text = edited
    }
  }
})
