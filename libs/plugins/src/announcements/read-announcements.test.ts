import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { yamlValue } from '../yaml-fixture.ts'
import { announcementOf } from './announcement-of.ts'
import { readAnnouncements, readDynamicAnnouncements } from './read-announcements.ts'

function read(text: string) {
  return readAnnouncements(...yamlValue(text))
}

test("the proposal's list form gives its defaults to the plugin", () => {
  const { announcements, warnings } = read(`
- {name: nameOverride, group: helm-parameters, defaultValues: [argocd]}
- {name: _plus, group: helm-parameters, defaultValues: [], isList: true, title: Others, tooltip: Add more.}
- {name: tag, section: Images, type: image}
- {name: ports, type: number, isList: true, defaultValues: [80, "1.10"], required: true}
- {name: name-prefix, title: NAME PREFIX}
`)
  assert.deepEqual(warnings, [])
  assert.deepEqual(announcements, [
    announcementOf({
      name: 'nameOverride',
      group: 'helm-parameters',
      default: { kind: 'string', text: 'argocd' },
      sendDefault: true,
      form: 'list',
    }),
    announcementOf({
      name: '_plus',
      group: 'helm-parameters',
      title: 'Others',
      tooltip: 'Add more.',
      default: { kind: 'array', items: [] },
      form: 'list',
    }),
    announcementOf({ name: 'tag', group: 'Images', itemType: 'image', form: 'list' }),
    announcementOf({
      name: 'ports',
      itemType: 'number',
      required: true,
      default: { kind: 'array', items: ['80', '1.10'] },
      sendDefault: true,
      form: 'list',
    }),
    announcementOf({ name: 'name-prefix', title: 'NAME PREFIX' }),
  ])
})

test("the proposal's typed form is read with its types", () => {
  const { announcements, warnings } = read(`
- {name: version, value: {string: v4.3.0}}
- {name: replicas, value: {number: 1.10}}
- {name: debug, value: {boolean: false}}
- {name: image, group: images, value: "docker.company.com/x"}
- {name: files, title: FILES, type: string, array: []}
- {name: ports, array: [{number: 80}, {value: 1e3}]}
- name: resources
  map:
  - {name: memory, number: 100}
  - {name: cpu, number: 0.1}
`)
  assert.deepEqual(warnings, [])
  const typed = { form: 'typed' } as const
  assert.deepEqual(announcements, [
    announcementOf({
      ...typed,
      name: 'version',
      itemType: 'string',
      default: { kind: 'string', text: 'v4.3.0' },
    }),
    announcementOf({
      ...typed,
      name: 'replicas',
      itemType: 'number',
      default: { kind: 'string', text: '1.10' },
    }),
    announcementOf({
      ...typed,
      name: 'debug',
      itemType: 'boolean',
      default: { kind: 'string', text: 'false' },
    }),
    announcementOf({
      ...typed,
      name: 'image',
      group: 'images',
      default: { kind: 'string', text: 'docker.company.com/x' },
    }),
    announcementOf({
      ...typed,
      name: 'files',
      title: 'FILES',
      itemType: 'string',
      default: { kind: 'array', items: [] },
    }),
    announcementOf({
      ...typed,
      name: 'ports',
      itemType: 'number',
      default: { kind: 'array', items: ['80', '1e3'] },
    }),
    announcementOf({
      ...typed,
      name: 'resources',
      itemType: 'number',
      default: {
        kind: 'map',
        entries: [
          ['memory', '100'],
          ['cpu', '0.1'],
        ],
      },
    }),
  ])
})

test("Argo CD's form is read, and what Argo CD would stumble over is said", () => {
  const { announcements, warnings } = read(`
- {name: a, itemType: number, collectionType: string, string: "1"}
- {name: b, array: [x, z]}
- {name: c, map: {__proto__: v, k: w}}
- {name: d, collectionType: map, map: {k: v}, string: x, array: []}
- {name: e, string: 1.10}
- {name: f, itemType: number, collectionType: array, array: [one, 2]}
- {name: g, array: null}
- {name: h, string: null}
- {name: i, collectionType: table}
- {name: j, required: "true"}
`)
  assert.deepEqual(
    announcements.map(({ name, default: value }) => [name, value]),
    [
      ['a', { kind: 'string', text: '1' }],
      ['b', { kind: 'array', items: ['x', 'z'] }],
      [
        'c',
        {
          kind: 'map',
          entries: [
            ['__proto__', 'v'],
            ['k', 'w'],
          ],
        },
      ],
      ['d', { kind: 'map', entries: [['k', 'v']] }],
      ['e', { kind: 'string', text: '1.10' }],
      ['f', { kind: 'array', items: ['one', '2'] }],
      ['g', { kind: 'array', items: [] }],
      ['h', undefined],
      ['i', undefined],
      ['j', undefined],
    ],
  )
  assert.deepEqual(warnings, [
    'test.yaml:5: parameters[3].string: is dropped: collectionType is "map"',
    'test.yaml:6: parameters[4].string: is a number where Argo CD accepts only a string; quote it: "1.10"',
    'test.yaml:7: parameters[5].array[0]: "one" is not a number, the declared itemType',
    'test.yaml:7: parameters[5].array[1]: is a number where Argo CD accepts only a string; quote it: "2"',
    'test.yaml:10: parameters[8].collectionType: "table" is none of "string", "array" and "map", and is ignored',
    'test.yaml:11: parameters[9].required: is a string where Argo CD accepts only true or false; remove the quotes',
  ])
})

test('what is said to user interfaces is kept', () => {
  const { announcements, warnings } = read(`
- {name: file, type: enum, uiConfig: '{"values": ["a.yaml", "b.yaml"]}'}
- {name: size, itemType: number, options: [1, 2.50], uiConfig: {width: 3}}
- {name: text, uiConfig: '{"multiline": true}'}
- {name: kind, type: enum}
- {name: arg, asArg: true, envVar: MY_ARG, userCanAddMore: false}
`)
  assert.deepEqual(
    announcements.map(({ itemType, options, uiConfig }) => [itemType, options, uiConfig]),
    [
      ['enum', ['a.yaml', 'b.yaml'], '{"values": ["a.yaml", "b.yaml"]}'],
      ['number', ['1', '2.50'], '{"width":3}'],
      ['multiline-string', [], '{"multiline": true}'],
      ['enum', [], ''],
      ['', [], ''],
    ],
  )
  const argument = announcements.at(-1)
  assert.deepEqual([argument?.asArgument, argument?.envVar, argument?.fixedItems], [true, 'MY_ARG', true])
  assert.deepEqual(warnings, ['test.yaml:5: parameters[3]: an enum names no values; give it options: [...]'])
})

test('unknown fields are named with the nearest known one', () => {
  const { announcements, warnings } = read('- {name: a, titel: A, Tooltip: T, colour: red}\n')
  assert.deepEqual(announcements, [announcementOf({ name: 'a', tooltip: 'T' })])
  assert.deepEqual(warnings, [
    'test.yaml:1: unknown field parameters[0].titel; did you mean title?',
    'test.yaml:1: parameters[0].Tooltip: is read as "tooltip"; write it so',
    'test.yaml:1: unknown field parameters[0].colour; expected one of name, title, tooltip, required, group, section, uiConfig, envVar, asArg, options, userCanAddMore, string, array, map, itemType, collectionType, value, number, boolean, type, isList, defaultValues',
  ])
})

for (const [text, message] of [
  ['{name: a}', 'test.yaml:1: parameters must be a list, not an object'],
  ['- a\n', 'test.yaml:1: parameters[0] must be an object, not a string'],
  ['- {name: a, defaultValues: [x, y]}', 'parameters[0]: has 2 defaultValues, so isList must be true'],
  ['- {name: a, type: number, defaultValues: [x]}', 'parameters[0].defaultValues[0]: "x" is not a number'],
  ['- {name: a, isList: true, array: [x]}', 'parameters[0]: sets array beside isList or defaultValues'],
  ['- {name: a, isList: 3}', 'parameters[0].isList must be a boolean, not a number'],
  ['- {name: a, type: number, itemType: string}', 'type "number" and itemType "string" differ'],
  ['- {name: a, group: g, section: s}', 'group "g" and section "s" differ'],
  ['- {name: a, value: {number: one}}', 'parameters[0].value.number: "one" is not a number'],
  ['- {name: a, value: {boolean: 1}}', 'parameters[0].value.boolean: "1" is not a boolean'],
  ['- {name: a, value: [1]}', 'parameters[0].value must be a string, not a list'],
  [
    '- {name: a, collectionType: map, array: [{string: x}]}',
    'collectionType is "map", but the default is of "array"',
  ],
  ['- {name: a, envVar: "A B"}', '"A B" is not a name of a variable'],
  ['- {name: "a\\0"}', 'parameters[0].name: holds a NUL character'],
  ['- {name: a, map: {"k\\0": v}}', 'parameters[0].map: holds a NUL character'],
] as const) {
  test(`an announcement is refused: ${message}`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof InvalidInputError && error.message.includes(message),
    )
  })
}

const prefix = 'error unmarshaling dynamic parameter output into ParametersAnnouncementResponse: '

test('the output of a command is JSON, whose numbers stay exact', () => {
  const { announcements } = readDynamicAnnouncements('[{"name": "a", "value": {"number": 1.10}}]\n')
  assert.deepEqual(announcements[0]?.default, { kind: 'string', text: '1.10' })
  assert.deepEqual(readDynamicAnnouncements('null'), { announcements: [], warnings: [] })
})

for (const [output, found] of [
  ['', 'the command printed nothing'],
  [' \n', 'the command printed nothing'],
  ['{"name": "a"}', 'found an object'],
  ['"a"', 'found a string'],
  ['[{"name": "a"}', 'no valid JSON ('],
  ['[] done', 'no valid JSON ('],
  ['- name: a', 'no valid JSON ('],
] as const) {
  test(`the output ${JSON.stringify(output)} is refused with Argo CD's message`, () => {
    assert.throws(
      () => readDynamicAnnouncements(output),
      (error) =>
        error instanceof InvalidInputError &&
        error.message.startsWith(`${prefix}${found}`) &&
        error.message.endsWith(
          'expected a JSON list of parameters alone, like [{"name":"replicas","string":"1"}]',
        ),
    )
  })
}

test("a wrong parameter in a command's output is named by its position", () => {
  assert.throws(
    () => readDynamicAnnouncements('[{"name": "a"}, {"title": "b"}]'),
    new InvalidInputError(`${prefix}parameters[1]: a parameter needs a name`),
  )
})
