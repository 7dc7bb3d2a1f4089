import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Announcement } from './announcements/announcement.ts'
import { readAnnouncements } from './announcements/read-announcements.ts'
import type { Parameter } from './parameters/parameter.ts'
import { prefixedVariables } from './parameters/parameter-variables.ts'
import { readParameters } from './parameters/read-parameters.ts'
import { yamlValue } from './yaml-fixture.ts'

const announced = (text: string) => readAnnouncements(...yamlValue(text))
const set = (text: string) => readParameters(...yamlValue(text))

/** The announcement and the parameter that one text is read as. */
function both(text: string): [Announcement | undefined, Parameter | undefined] {
  return [announced(text).announcements[0], set(text)[0]]
}

function refuses(read: (text: string) => unknown, text: string, message: RegExp): void {
  assert.throws(
    () => read(text),
    (error) => error instanceof InvalidInputError && message.test(error.message),
  )
}

test('question 1: parameters are written as they are announced, and what is for user interfaces is ignored', () => {
  const parameters = set(`
- {name: name-prefix, value: my-company-}
- name: images
  title: Images
  tooltip: Replaces images.
  required: true
  itemType: string
  map:
  - {name: "ubuntu:latest", value: "docker.company.com/proxy/ubuntu:latest"}
  - {name: "guestbook:v0.1", value: "docker.company.com/proxy/guestbook:v0.1"}
`)
  assert.deepEqual(parameters, [
    { name: 'name-prefix', group: '', string: 'my-company-', form: 'value', itemType: '', warnings: [] },
    {
      name: 'images',
      group: '',
      map: [
        ['ubuntu:latest', 'docker.company.com/proxy/ubuntu:latest'],
        ['guestbook:v0.1', 'docker.company.com/proxy/guestbook:v0.1'],
      ],
      form: 'typed',
      itemType: '',
      warnings: [],
    },
  ])
})

test('question 2: items to add are of the declared type, else of that of the last one, else texts', () => {
  const types = announced(`
- name: parameter
  map: [{name: param1, string: param1}, {name: param2, boolean: false}, {name: param3, number: 1}]
- {name: declared, itemType: string, array: [{string: a}]}
- {name: empty, array: []}
`).announcements.map(({ itemType }) => itemType)
  assert.deepEqual(types, ['number', 'string', ''])
  const mismatch = '- {name: parameter, type: string, map: [{name: param1, boolean: false}]}'
  refuses(announced, mismatch, /parameters\[0\]\.map: the boolean "false" is not a string, the declared type/)
  const array = '- {name: parameter, itemType: number, array: [{number: 1}, {boolean: true}]}'
  refuses(announced, array, /parameters\[0\]\.array\[1\]: the boolean "true" is not a number/)
})

const several = `
- title: Resources
  name: resources
  itemType: number
  map:
  - {name: cpu, string: '100', number: 100}
  - {name: memory, string: '1000', boolean: false}
`

test('question 3: an announcement with several kinds of value is refused, unless Argo CD knows which one applies', () => {
  refuses(announced, several, /test\.yaml:6: parameters\[0\]\.map\[0\]: sets string and number; keep one/)
  refuses(announced, '- {name: a, value: x, array: [z]}', /parameters\[0\]: sets value and array; keep one/)
  refuses(announced, '- {name: a, value: {string: x}, string: z}', /sets value and string; keep one/)
  refuses(announced, '- {name: a, string: x, map: {k: v}}', /sets string and map; keep one, or choose/)
  const flat = announced('- {name: a, collectionType: array, string: x, array: [z]}')
  assert.deepEqual(flat.announcements[0]?.default, { kind: 'array', items: ['z'] })
  assert.deepEqual(flat.warnings, [
    'test.yaml:1: parameters[0].string: is dropped: collectionType is "array"',
  ])
})

test('question 4: a parameter has one single value; of several kinds in the form of Argo CD all are kept', () => {
  refuses(set, several, /test\.yaml:6: parameters\[0\]\.map\[0\]: sets string and number; keep one/)
  refuses(set, '- {name: a, value: {string: x, boolean: true}}', /\.value: sets string and boolean; keep one/)
  refuses(set, '- {name: a, value: x, string: z}', /parameters\[0\]: sets value and string; keep one/)
  refuses(set, '- {name: a, number: 1, boolean: true}', /parameters\[0\]: sets number and boolean; keep one/)
  const [parameter] = set('- {name: a, string: x, array: [z], map: {k: v}}')
  assert.deepEqual(parameter?.warnings, [
    'parameters[0]: sets a single value and an array and a map; the plugin is given all of them',
  ])
  assert.deepEqual([parameter?.string, parameter?.array, parameter?.map], ['x', ['z'], [['k', 'v']]])
})

test('question 5: a name inside the value is ignored with a warning', () => {
  const text = '- {name: name-prefix, value: {name: prefix, string: my-company-}}'
  const [announcement, parameter] = both(text)
  assert.deepEqual(announcement?.default, { kind: 'string', text: 'my-company-' })
  assert.equal(parameter?.name, 'name-prefix')
  assert.equal(parameter?.string, 'my-company-')
  const warning =
    'parameters[0].value.name: means nothing here and is ignored: only the items of a map have names'
  assert.deepEqual(announced(text).warnings, [`test.yaml:1: ${warning}`])
  assert.deepEqual(parameter?.warnings, [warning])
})

test('question 6: names of the items of an array are ignored with a warning', () => {
  const text = '- {name: images, array: [{name: "ubuntu:latest", value: "proxy/ubuntu:latest"}]}'
  const [announcement, parameter] = both(text)
  assert.deepEqual(announcement?.default, { kind: 'array', items: ['proxy/ubuntu:latest'] })
  assert.deepEqual(parameter?.array, ['proxy/ubuntu:latest'])
  assert.match(parameter?.warnings.join() ?? '', /^parameters\[0\]\.array\[0\]\.name: means nothing here/)
  assert.equal(announced(text).warnings.length, 1)
})

test('question 7: of several items of a map with one name the last one applies, with a warning', () => {
  const text = `
- name: parameter
  map:
  - {name: global.image.repository, value: quay.io/argoproj/argocd}
  - {name: other, value: x}
  - {name: global.image.repository, value: docker.company.com/proxy/argoproj/argocd}
`
  const entries = [
    ['global.image.repository', 'docker.company.com/proxy/argoproj/argocd'],
    ['other', 'x'],
  ]
  const [announcement, parameter] = both(text)
  assert.deepEqual(announcement?.default, { kind: 'map', entries })
  assert.deepEqual(parameter?.map, entries)
  assert.deepEqual(parameter?.warnings, [
    'parameters[0].map[2]: the name "global.image.repository" comes again; the last one applies',
  ])
  assert.equal(announced(text).warnings.length, 1)
})

test('question 8: numbers are decimal and keep their text', () => {
  const texts = ['1.10', '1e3', '0.1', '100', '-0', '12345678901234567890', '1.0000000000000000001']
  for (const text of texts) {
    const [announcement, parameter] = both(`- {name: cpu, value: {number: ${text}}}`)
    assert.deepEqual(announcement?.default, { kind: 'string', text })
    assert.deepEqual([parameter?.string, parameter?.itemType], [text, 'number'])
    const [, quoted] = both(`- {name: cpu, value: {number: "${text}"}}`)
    assert.equal(quoted?.string, text)
    const [, plain] = both(`- {name: cpu, value: ${text}}`)
    assert.deepEqual([plain?.string, plain?.form], [text, 'value'])
    const [, flat] = both(
      `- {name: cpu, string: ${text}, array: [${text}], map: {k: ${text}}, collectionType: map}`,
    )
    assert.deepEqual([flat?.string, flat?.array, flat?.map], [text, [text], [['k', text]]])
  }
  for (const text of ['"1,5"', '0x', 'NaN', '""', '1 000']) {
    refuses(announced, `- {name: cpu, value: {number: ${text}}}`, /is not a number/)
    refuses(set, `- {name: cpu, value: {number: ${text}}}`, /is not a number/)
  }
})

test('question 9: an empty value differs from none', () => {
  const values = announced(`
- {name: a, value: {string: ""}}
- {name: b, value: {string: null}}
- {name: c, value: {number: 0}}
- {name: d, value: {boolean: false}}
- {name: e, string: ""}
- {name: f}
`).announcements.map(({ default: value }) => value?.kind === 'string' && value.text)
  assert.deepEqual(values, ['', false, '0', 'false', '', false])
  const parameters = set(
    '[{name: a, string: ""}, {name: b, string: null}, {name: c, array: []}, {name: d, map: null}]',
  )
  assert.deepEqual(
    parameters.map(({ string, array, map }) => ({ string, array, map })),
    [
      { string: '', array: undefined, map: undefined },
      { string: undefined, array: undefined, map: undefined },
      { string: undefined, array: [], map: undefined },
      { string: undefined, array: undefined, map: [] },
    ],
  )
})

test('question 10: items may be added unless the plugin says no', () => {
  const fixed = announced(
    '[{name: a, array: [x]}, {name: b, array: [x], userCanAddMore: false}, {name: c, userCanAddMore: true}]',
  ).announcements.map(({ fixedItems }) => fixedItems)
  assert.deepEqual(fixed, [false, true, false])
})

test('question 11: what says nothing of its type is a text', () => {
  for (const text of ['- {name: name-prefix, value: {}}', '- {name: name-prefix}']) {
    const [announcement] = announced(text).announcements
    assert.deepEqual(
      [announcement?.itemType, announcement?.collectionType, announcement?.default],
      ['', 'string', undefined],
    )
  }
})

test('question 12: an item of a map needs a name', () => {
  const empty = '- {name: parameter, map: [{name: "", value: x}]}'
  const absent = '- {name: parameter, map: [{name: a, value: x}, {value: z}]}'
  for (const read of [announced, set]) {
    refuses(read, empty, /parameters\[0\]\.map\[0\]: an item of a map needs a name/)
    refuses(read, absent, /parameters\[0\]\.map\[1\]: an item of a map needs a name/)
  }
  const [parameter] = set('- {name: parameter, map: {"": x, k: z}}')
  assert.deepEqual(parameter?.warnings, [
    'parameters[0].map: has an entry with an empty name, which makes no variable',
  ])
  assert.deepEqual(prefixedVariables(parameter ? [parameter] : []), [
    { name: 'PARAM_PARAMETER_K', value: 'z' },
  ])
})

test('question 13: a parameter needs a name', () => {
  for (const read of [announced, set]) {
    for (const item of ['{title: A, value: x}', '{name: "", value: x}', '{name: null}', '{array: [x]}']) {
      refuses(read, `- {name: a}\n- ${item}`, /^test\.yaml:2: parameters\[1\]: a parameter needs a name$/)
    }
  }
})
