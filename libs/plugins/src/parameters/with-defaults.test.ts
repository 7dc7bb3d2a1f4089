import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcementOf } from '../announcements/announcement-of.ts'
import { parameterOf } from './parameter-fixture.ts'
import { withDefaults } from './with-defaults.ts'

const list = announcementOf({
  name: 'prefix',
  group: 'g',
  default: { kind: 'string', text: 'p' },
  sendDefault: true,
  form: 'list',
})
const typed = announcementOf({
  name: 'replicas',
  itemType: 'number',
  default: { kind: 'string', text: '1.0' },
  form: 'typed',
})
const map = announcementOf({
  name: 'images',
  default: {
    kind: 'map',
    entries: [
      ['a', '1'],
      ['b', '2'],
    ],
  },
})
const bare = announcementOf({ name: 'bare', required: true })

test('defaults that the plugin is given come before what is set', () => {
  const set = parameterOf({ name: 'x', string: '1' })
  assert.deepEqual(withDefaults([set], [list, typed, map, bare], false), [
    parameterOf({ name: 'prefix', group: 'g', string: 'p', form: 'value' }),
    set,
  ])
})

test('every default is given when the plugin wants that, but never over a set one', () => {
  const parameters = [
    parameterOf({ name: 'prefix', string: '' }),
    parameterOf({
      name: 'images',
      map: [
        ['b', '3'],
        ['c', '4'],
      ],
    }),
  ]
  assert.deepEqual(withDefaults(parameters, [list, typed, map, bare], true), [
    parameterOf({ name: 'replicas', string: '1.0', form: 'typed', itemType: 'number' }),
    parameterOf({ name: 'prefix', string: '' }),
    parameterOf({
      name: 'images',
      map: [
        ['a', '1'],
        ['b', '3'],
        ['c', '4'],
      ],
    }),
  ])
})

test('parameters of one name in two groups are two', () => {
  const other = { ...list, group: 'h' }
  const set = parameterOf({ name: 'prefix', group: 'h', string: 's' })
  assert.deepEqual(
    withDefaults([set], [list, other], false).map(({ group, string }) => [group, string]),
    [
      ['g', 'p'],
      ['h', 's'],
    ],
  )
})

test('a parameter that is named without a value gets the default', () => {
  assert.deepEqual(withDefaults([parameterOf({ name: 'prefix' })], [list], false), [
    parameterOf({ name: 'prefix', string: 'p' }),
  ])
})
