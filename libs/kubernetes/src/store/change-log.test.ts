import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stored } from '../object-fixture.ts'
import { ChangeLog } from './change-log.ts'
import { keptObject } from './kept-object.ts'

/** An object with one label at one version. */
function form(name: string, resourceVersion: number, at = '') {
  const { metadata, ...object } = stored(name, resourceVersion, 'uid')
  return keptObject({ ...object, metadata: { ...metadata, labels: { at } } })
}

/** The next events of a watch, as `type name label`. */
async function take(events: ReturnType<ChangeLog['events']>, count: number): Promise<string[]> {
  const taken: string[] = []
  while (taken.length < count) {
    const { value } = await events.next()
    if (value === undefined) break
    taken.push(`${value.type} ${value.resource.metadata.name} ${value.resource.metadata.labels?.['at']}`)
  }
  return taken
}

test('a write that leaves the kept form as it is gives the object its version and no event', async () => {
  const log = new ChangeLog(10)
  log.record('a', form('a', 1))
  const { position } = log
  log.record('a', form('a', 2))
  assert.equal(log.get('a')?.resourceVersion, '2')
  assert.equal(log.position, position)
})

test('a watch that fell behind the log gets differences', async () => {
  const log = new ChangeLog(2)
  const stop = new AbortController()
  for (const name of ['kept', 'changed', 'gone']) log.record(name, form(name, 1, 'old'))
  const events = log.events(undefined, stop.signal)
  assert.deepEqual(await take(events, 3), ['added kept old', 'added changed old', 'added gone old'])
  log.record('gone', undefined)
  for (let version = 2; version < 9; version++) log.record('changed', form('changed', version, `${version}`))
  log.record('new', form('new', 9, 'new'))
  assert.deepEqual(await take(events, 3), ['deleted gone old', 'modified changed 8', 'added new new'])
  const waiting = events.next()
  stop.abort()
  assert.equal((await waiting).done, true)
})

test('a watch from a position that is cut off, or not reached yet, begins with all objects', async () => {
  const log = new ChangeLog(2)
  for (let version = 1; version < 6; version++) log.record('a', form('a', version, `${version}`))
  const { signal } = new AbortController()
  for (const from of [0, 99]) assert.deepEqual(await take(log.events(from, signal), 1), ['added a 5'])
  assert.deepEqual(await take(log.events(log.position - 1, signal), 1), ['modified a 5'])
})

test('a watch from a position that falls behind before it has delivered what it missed delivers that too', async () => {
  const log = new ChangeLog(600)
  const count = 700
  for (let number = 0; number < count; number++) log.record(`${number}`, form(`${number}`, 1))
  const events = log.events(0, new AbortController().signal)
  const taken = await take(events, 500)
  for (let version = 2; version < 602; version++) log.record('last', form('last', version, `${version}`))
  taken.push(...(await take(events, count - 500)))
  assert.equal(new Set(taken.map((event) => event.split(' ')[1])).size, count)
})
