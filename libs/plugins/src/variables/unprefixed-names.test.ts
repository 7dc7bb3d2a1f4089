import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcementOf } from '../announcements/announcement-of.ts'
import type { PluginDefinition } from '../file/plugin.ts'
import { unprefixedNames } from './unprefixed-names.ts'

function allowed(mode: PluginDefinition['unprefixedNames'], names: readonly string[]): string[] {
  const announcements = [
    announcementOf({ name: 'image.tag' }),
    announcementOf({ name: 'mode', group: 'rollout' }),
    announcementOf({
      name: 'labels',
      collectionType: 'map',
      default: { kind: 'map', entries: [['team', 'web']] },
    }),
    announcementOf({ name: 'hosts', collectionType: 'array' }),
  ]
  const mayName = unprefixedNames({
    unprefixedNames: mode,
    variableNames: ['LISTED'],
    announcements,
    init: ['sh', '-c', 'OWN=1; echo $OWN $PREPARED'],
    generate: ['sh', '-c', 'echo "${GENERATED:-x}"'],
    announce: ['sh', '-c', 'echo $ANNOUNCING'],
    discovery: { by: 'command', argv: ['sh', '-c', 'echo $FOUND'] },
  })
  return names.filter((name) => mayName(name))
}

const announced = ['IMAGE_TAG', 'ROLLOUT_MODE', 'MODE', 'LABELS', 'LABELS_TEAM', 'HOSTS', 'HOSTS_12']
const written = ['LISTED', 'PREPARED', 'GENERATED', 'ANNOUNCING', 'FOUND']
const foreign = [
  'OWN',
  'OTHER',
  'OTHER_0',
  'LABELS_OPTS',
  'HOSTS_X',
  'MAVEN_MODE',
  'GENERATED_X',
  'PREPARED_0',
]

test("by default parameters set the variables that the plugin's file names", () => {
  assert.deepEqual(allowed('named', [...announced, ...written, ...foreign]), [...announced, ...written])
})

test('the other modes take what is announced, everything or nothing', () => {
  const all = [...announced, ...written, ...foreign]
  assert.deepEqual(allowed('announced', all), announced)
  assert.deepEqual(allowed('guarded', all), all)
  assert.deepEqual(allowed('off', all), [])
})
