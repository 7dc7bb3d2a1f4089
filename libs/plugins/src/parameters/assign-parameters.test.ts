import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { announcementOf } from '../announcements/announcement-of.ts'
import { type Assignment, assignParameters } from './assign-parameters.ts'
import { parameterOf } from './parameter-fixture.ts'
import type { Parameter, ParameterValue } from './parameter.ts'

const announcements = [
  announcementOf({ name: 'helm', collectionType: 'map', group: 'g' }),
  announcementOf({ name: 'helm.extra', collectionType: 'map' }),
  announcementOf({ name: 'helm.name' }),
  announcementOf({ name: 'files', default: { kind: 'array', items: ['a.yaml', 'b.yaml'] } }),
  announcementOf({ name: 'images', default: { kind: 'map', entries: [['x', '1']] } }),
]

interface Changes {
  assign?: Record<string, string>
  whole?: [target: string, value: ParameterValue]
  remove?: string[]
}

function change(parameters: readonly Parameter[], { assign = {}, whole, remove = [] }: Changes): Parameter[] {
  const assignments: Assignment[] = Object.entries(assign).map(([target, value]) => ({ target, value }))
  if (whole) assignments.push({ target: whole[0], value: '', whole: whole[1] })
  return assignParameters(parameters, announcements, { assignments, removals: remove })
}

for (const [target, expected] of [
  ['helm.name', { name: 'helm.name', string: 'v' }],
  ['helm.image.tag', { name: 'helm', group: 'g', map: [['image.tag', 'v']] }],
  ['helm.ports[0]', { name: 'helm', group: 'g', map: [['ports[0]', 'v']] }],
  ['helm.extra.a', { name: 'helm.extra', map: [['a', 'v']] }],
  ['files[1]', { name: 'files', array: ['a.yaml', 'v'] }],
  ['files[2]', { name: 'files', array: ['a.yaml', 'b.yaml', 'v'] }],
  ['images.z', { name: 'images', map: [['z', 'v']] }],
  ['new', { name: 'new', string: 'v' }],
  ['new.a.b', { name: 'new', map: [['a.b', 'v']] }],
  ['new[0]', { name: 'new', array: ['v'] }],
] as const) {
  test(`assigning ${target} to nothing sets ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(change([], { assign: { [target]: 'v' } }), [parameterOf(expected)])
  })
}

test('what is set and not announced is found before it is taken apart', () => {
  const set = [
    parameterOf({ name: 'a.b', string: 'old' }),
    parameterOf({ name: 'a.c', map: [['k', 'old']] }),
    parameterOf({ name: 'a', map: [] }),
    parameterOf({ name: 'l', array: ['old'] }),
  ]
  assert.deepEqual(
    change(set, { assign: { 'a.b': '1', 'a.c.k': '2', 'a.d': '3', 'l[0]': '4', 'l[1]': '5' } }),
    [
      parameterOf({ name: 'a.b', string: '1' }),
      parameterOf({ name: 'a.c', map: [['k', '2']] }),
      parameterOf({ name: 'a', map: [['d', '3']] }),
      parameterOf({ name: 'l', array: ['4', '5'] }),
    ],
  )
})

test('a parameter keeps its form as far as the new value is one of it', () => {
  const set = [
    parameterOf({ name: 'v', string: 'x', form: 'value', group: 'g' }),
    parameterOf({ name: 'n', string: '1', form: 'typed', itemType: 'number' }),
    parameterOf({ name: 'm', string: '1', form: 'typed', itemType: 'number' }),
  ]
  assert.deepEqual(change(set, { assign: { v: 'w', n: '2.50', m: 'two' } }), [
    parameterOf({ name: 'v', string: 'w', form: 'value', group: 'g' }),
    parameterOf({ name: 'n', string: '2.50', form: 'typed', itemType: 'number' }),
    parameterOf({ name: 'm', string: 'two' }),
  ])
})

test('a whole value replaces all of the parameter whose name is the target', () => {
  const set = [parameterOf({ name: 'a.b', string: 'x', array: ['z'], warnings: ['w'] })]
  assert.deepEqual(change(set, { whole: ['a.b', { kind: 'map', entries: [['k', 'v']] }] }), [
    parameterOf({ name: 'a.b', map: [['k', 'v']] }),
  ])
  assert.deepEqual(change([], { whole: ['helm.image[0]', { kind: 'array', items: [] }] }), [
    parameterOf({ name: 'helm.image[0]', array: [] }),
  ])
})

test('of several parameters with one name the last one changes, and all are removed', () => {
  const set = [parameterOf({ name: 'a', string: '1' }), parameterOf({ name: 'a', string: '2' })]
  assert.deepEqual(
    change(set, { assign: { a: '3' } }).map(({ string }) => string),
    ['1', '3'],
  )
  assert.deepEqual(change(set, { remove: ['a'] }), [])
})

test('removals come first and mean the positions before them', () => {
  const set = [
    parameterOf({ name: 'l', array: ['0', '1', '2', '3'] }),
    parameterOf({
      name: 'm',
      map: [
        ['a', '1'],
        ['b', '2'],
      ],
    }),
    parameterOf({ name: 'n', map: [['a', '1']] }),
  ]
  assert.deepEqual(
    change(set, { remove: ['l[0]', 'l[2]', 'm.a', 'n.a', 'l[0]'], assign: { 'l[2]': 'new' } }),
    [parameterOf({ name: 'l', array: ['1', '3', 'new'] }), parameterOf({ name: 'm', map: [['b', '2']] })],
  )
  assert.deepEqual(change([], { remove: ['files[0]'] }), [parameterOf({ name: 'files', array: ['b.yaml'] })])
})

for (const [changes, kind, message] of [
  [{ assign: { files: 'x' } }, InvalidInputError, 'files is a list; set an item of it, like files[0]'],
  [{ assign: { helm: 'x' } }, InvalidInputError, 'helm is a map; set an entry of it, like helm.key'],
  [{ assign: { 'files[3]': 'x' } }, InvalidInputError, 'files[3] is past the end: the list has 2 items'],
  [{ assign: { 'new[1]': 'x' } }, InvalidInputError, 'new[1] is past the end'],
  [{ assign: { 'new[x]': 'x' } }, InvalidInputError, 'a position in a list is a number'],
  [{ assign: { '': 'x' } }, InvalidInputError, '"" is not a target'],
  [{ assign: { '.a': 'x' } }, InvalidInputError, '".a" is not a target'],
  [{ assign: { 'helm.': 'x' } }, InvalidInputError, '"helm." is not a target'],
  [{ assign: { a: 'x\0' } }, InvalidInputError, 'the value of "a" holds a NUL'],
  [{ whole: ['a', { kind: 'map', entries: [['\0', '']] }] }, InvalidInputError, 'holds a NUL'],
  [{ whole: ['', { kind: 'string', text: '' }] }, InvalidInputError, 'a parameter needs a name'],
  [{ remove: ['a'] }, NotFoundError, 'parameter a is not set; set are: none'],
  [{ remove: ['images.x'] }, NotFoundError, 'parameter images.x is not set'],
  [{ remove: ['files[2]'] }, NotFoundError, 'parameter files[2] is not set'],
] satisfies [Changes, typeof InvalidInputError | typeof NotFoundError, string][]) {
  test(`a change is refused: ${message}`, () => {
    assert.throws(
      () => change([], changes),
      (error) => error instanceof kind && error.message.includes(message),
    )
  })
}
