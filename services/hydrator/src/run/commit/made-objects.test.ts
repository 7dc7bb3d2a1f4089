import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import { openSingleMemory } from '@wadi/queue/shared-memory.ts'
import { defaultLayout } from '@wadi/resources/application/layout.ts'
import type { ValidatedRun } from '../branch-run.ts'
import { FingerprintCache } from '../reuse/fingerprint-cache.ts'
import { MadeObjects } from './made-objects.ts'
import { objectsText } from './object-owners.ts'
import { application, type RunFixture, startRunFixture } from '../run-fixture.ts'

const secret = objectsText(['{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}'])

async function validated(fixture: RunFixture): Promise<ValidatedRun> {
  const { run } = await fixture.run()
  const directories = run.groups.map((group) => {
    const own = group.members.map((member) => ({
      path: member.path,
      members: [member] as [typeof member],
      layout: defaultLayout,
    }))
    return [group, own] as const
  })
  const byPath = VersionedMap.of(directories.flatMap(([, own]) => own.map((one) => [one.path, one])))
  return { ...run, directories: new Map(directories), byPath, claimed: new Set(byPath.keys()) }
}

test('what directories hold is known after a restart, for the head alone that it was found for', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'), application('b'))
  const run = await validated(fixture)
  const open = () =>
    new MadeObjects(new FingerprintCache(join(fixture.directory, 'made'), openSingleMemory(), 'object'))
  const first = { run, from: '', sameAs: '', to: 'head-1', rendered: new Map([['a', secret]]) }
  assert.deepEqual(await open().committed(first), [])
  const next = { run, sameAs: '', to: 'head-2', rendered: new Map([['b', secret]]) }
  assert.deepEqual(await open().committed({ ...next, from: 'head-0' }), [])
  await open().committed(first)
  const found = [
    { objects: ['Secret web/s'], count: 1, applications: ['argocd/a', 'argocd/b'], applicationCount: 2 },
  ]
  assert.deepEqual(await open().committed({ ...next, from: 'head-1' }), found)
  // Somebody's commit on top that left these files alone.
  const later = { run, from: 'head-3', to: 'head-4', rendered: new Map<string, string>() }
  assert.deepEqual(await open().committed({ ...later, sameAs: 'head-2' }), found)
})

test('many Applications of one chart are recorded once, with a bound on their names', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const run = await validated(fixture)
  const names = Array.from({ length: 2_500 }, (_, index) => `a${index}`)
  const directories = [...run.directories].map(([group, [one]]) => {
    assert.ok(one)
    const [member] = one.members
    const many = names.map((path): typeof one => ({ ...one, path, members: [{ ...member, name: path }] }))
    return [group, many] as const
  })
  const byPath = VersionedMap.of(directories.flatMap(([, own]) => own.map((one) => [one.path, one])))
  const large = { ...run, directories: new Map(directories), byPath, claimed: new Set(names) }
  const texts = objectsText(
    Array.from({ length: 9 }, (_, index) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: `s${index}` } }),
    ),
  )
  const rendered = new Map(names.map((name) => [name, texts]))
  const [one, ...more] = await fixture.context.known.recordObjects({
    run: large,
    from: '',
    sameAs: '',
    to: 'head-1',
    rendered,
  })
  assert.deepEqual(
    [more, one?.count, one?.objects.length, one?.applications.length, one?.applicationCount],
    [[], 9, 5, 2_000, 2_500],
  )
})
