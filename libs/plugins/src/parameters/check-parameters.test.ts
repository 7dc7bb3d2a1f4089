import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcementOf } from '../announcements/announcement-of.ts'
import { checkParameters } from './check-parameters.ts'
import { parameterOf } from './parameter-fixture.ts'

const announcements = [
  announcementOf({ name: 'needed', required: true }),
  announcementOf({ name: 'defaulted', required: true, default: { kind: 'string', text: '' } }),
  announcementOf({ name: 'count', itemType: 'number' }),
  announcementOf({ name: 'flags', itemType: 'boolean', collectionType: 'map' }),
  announcementOf({ name: 'env', itemType: 'enum', options: ['dev', 'prod'] }),
  announcementOf({ name: 'files', collectionType: 'array' }),
  announcementOf({
    name: 'mixed',
    itemType: 'number',
    default: {
      kind: 'map',
      entries: [
        ['a', 'text'],
        ['b', '1'],
      ],
    },
  }),
]

test('parameters that are as announced have no problems', () => {
  const parameters = [
    parameterOf({ name: 'needed', string: '' }),
    parameterOf({ name: 'count', string: '1e3' }),
    parameterOf({ name: 'flags', map: [['a', 'true']] }),
    parameterOf({ name: 'env', string: 'dev', itemType: 'string', form: 'typed' }),
    parameterOf({ name: 'files', array: [] }),
    parameterOf({ name: 'mixed', map: [['a', 'other text']] }),
    parameterOf({ name: 'unknown', array: ['x'] }),
  ]
  assert.deepEqual(checkParameters(parameters, announcements), [])
})

test('each problem names its parameter', () => {
  const parameters = [
    parameterOf({ name: 'needed' }),
    parameterOf({ name: 'count', string: 'many' }),
    parameterOf({ name: 'count', string: '1', itemType: 'string', form: 'typed' }),
    parameterOf({
      name: 'flags',
      map: [
        ['a', 'yes'],
        ['', 'true'],
      ],
    }),
    parameterOf({ name: 'env', string: 'test' }),
    parameterOf({ name: 'files', string: 'a.yaml' }),
    parameterOf({ name: 'unknown', string: 'x', array: [] }),
  ]
  assert.deepEqual(
    checkParameters(parameters, announcements).map(({ name, message }) => `${name} ${message}`),
    [
      'needed is required; set it',
      'count "many" is not a number',
      'count is set as a string, but takes a number',
      'flags has an entry with an empty name; name it',
      'flags "yes" is not a boolean',
      'env "test" is none of "dev", "prod"',
      'files takes a list, not a single value',
      'unknown sets a single value and a list; keep one',
    ],
  )
})
