import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { ParameterAnnouncementSchema } from '@wadi/protocol/gen/argocd/repository/repository_pb.ts'
import { announcementFromMessage, announcementToMessage } from './announcement-message.ts'
import { announcementOf } from './announcement-of.ts'

function sent(init: MessageInitShape<typeof ParameterAnnouncementSchema>) {
  const bytes = toBinary(ParameterAnnouncementSchema, create(ParameterAnnouncementSchema, init))
  return announcementFromMessage(fromBinary(ParameterAnnouncementSchema, bytes))
}

test('announcements arrive as they were sent', () => {
  const announcements = [
    announcementOf({ name: 'a' }),
    announcementOf({ name: 'b', default: { kind: 'string', text: '' }, itemType: 'number', required: true }),
    announcementOf({
      name: 'c',
      title: 'C',
      tooltip: 'c',
      group: 'g',
      default: { kind: 'array', items: [] },
      sendDefault: true,
      form: 'list',
      envVar: 'C',
      asArgument: true,
      options: ['x'],
      fixedItems: true,
      uiConfig: '{}',
    }),
    announcementOf({
      name: 'd',
      default: {
        kind: 'map',
        entries: [
          ['z', '1'],
          ['10', '2'],
          ['', '3'],
          ['2', '4'],
        ],
      },
    }),
  ]
  for (const announcement of announcements) {
    assert.deepEqual(sent(announcementToMessage(announcement)), announcement)
  }
})

test('messages of Argo CD, which has no empty defaults, are understood', () => {
  const cases = [
    [{ name: 'a' }, 'string', undefined],
    [{ name: 'a', string: 'x', array: ['z'] }, 'string', { kind: 'string', text: 'x' }],
    [{ name: 'a', array: ['x'] }, 'array', { kind: 'array', items: ['x'] }],
    [
      { name: 'a', map: { b: '1', a: '2' } },
      'map',
      {
        kind: 'map',
        entries: [
          ['a', '2'],
          ['b', '1'],
        ],
      },
    ],
    [{ name: 'a', collectionType: 'map', array: ['x'] }, 'map', undefined],
    [{ name: 'a', array: ['x'], map: { k: 'v' } }, 'string', undefined],
    [{ name: 'a', collectionType: 'table' }, 'string', undefined],
  ] as const
  for (const [fields, collectionType, value] of cases) {
    const array = 'array' in fields ? [...fields.array] : []
    const announcement = sent({ ...fields, array })
    assert.deepEqual([announcement.collectionType, announcement.default], [collectionType, value])
  }
})
