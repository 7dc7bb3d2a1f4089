import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcementOf } from './announcement-of.ts'
import { mergeAnnouncements } from './merge-announcements.ts'

const silent = { title: undefined, tooltip: undefined, userCanAddMore: undefined }

test('one announcement is made of two: shown as the file says, with the default of the command', () => {
  const dynamic = [
    announcementOf({ name: 'other', default: { kind: 'string', text: 'o' } }),
    announcementOf({
      name: 'files',
      title: 'dynamic',
      tooltip: 'dynamic',
      default: { kind: 'array', items: ['d'] },
      options: ['d', 'e'],
    }),
  ]
  const fixed = [
    announcementOf({ name: 'first' }),
    announcementOf({
      name: 'files',
      title: 'FILES',
      group: 'g',
      required: true,
      itemType: 'string',
      default: { kind: 'string', text: 's' },
      sendDefault: true,
      form: 'list',
      options: ['s'],
    }),
  ]
  assert.deepEqual(mergeAnnouncements(dynamic, fixed, []), [
    dynamic[0],
    announcementOf({
      name: 'files',
      title: 'FILES',
      tooltip: 'dynamic',
      group: 'g',
      required: true,
      itemType: 'string',
      default: { kind: 'array', items: ['d'] },
      options: ['d', 'e'],
    }),
    fixed[0],
  ])
})

test('the default of the file applies when the command names none', () => {
  const fixed = announcementOf({
    name: 'a',
    default: { kind: 'map', entries: [] },
    sendDefault: true,
    form: 'list',
  })
  assert.deepEqual(mergeAnnouncements([announcementOf({ name: 'a', title: 'A' })], [fixed], []), [
    { ...fixed, title: 'A' },
  ])
})

test('of several announcements of a parameter the first one applies, and groups make parameters differ', () => {
  const plus = announcementOf({ name: '_plus', group: 'helm', collectionType: 'array' })
  const names = mergeAnnouncements(
    [plus, { ...plus, group: 'images' }, { ...plus, title: 'again' }],
    [announcementOf({ name: 'a', title: '1' }), announcementOf({ name: 'a', title: '2' })],
    [],
  ).map(({ name, group, title }) => [name, group, title])
  assert.deepEqual(names, [
    ['_plus', 'helm', ''],
    ['_plus', 'images', ''],
    ['a', '', '1'],
  ])
})

test('what the file says of user interfaces goes to parameters by name or by group', () => {
  const merged = mergeAnnouncements(
    [
      announcementOf({ name: 'a', title: 'old', tooltip: 'kept' }),
      announcementOf({ name: 'b', group: 'images', title: 'B' }),
      announcementOf({ name: 'c', group: 'images', uiConfig: 'own' }),
    ],
    [],
    [
      { ...silent, name: 'a', group: '', title: 'A', userCanAddMore: false },
      { ...silent, name: '', group: 'images', title: 'Images', userCanAddMore: false },
    ],
  )
  assert.deepEqual(
    merged.map(({ title, tooltip, fixedItems, uiConfig }) => ({ title, tooltip, fixedItems, uiConfig })),
    [
      { title: 'A', tooltip: 'kept', fixedItems: true, uiConfig: '' },
      { title: 'B', tooltip: '', fixedItems: true, uiConfig: '{"groupTitle":"Images"}' },
      { title: '', tooltip: '', fixedItems: true, uiConfig: 'own' },
    ],
  )
})
