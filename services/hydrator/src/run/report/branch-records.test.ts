import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { openSingleMemory } from '@wadi/queue/shared-memory.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { BranchRecords } from './branch-records.ts'
import { application, startRunFixture } from '../run-fixture.ts'

/** Returns a memory that hydrators share, in this process. */
function openTestMemory(): SharedMemory {
  const values = new Map<string, Buffer>()
  return {
    ...openSingleMemory(),
    recall: async (name) => values.get(name),
    remember: async (name, value) => void values.set(name, value),
  }
}

test('a record that another hydrator wrote is read in its last version', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const { run } = await fixture.run()
  const memory = openTestMemory()
  const status = { groups: [], applications: 1, rendered: 1, milliseconds: 5 }
  await new BranchRecords(fixture.store, memory).write(run, status)
  await new BranchRecords(fixture.store, memory).write(run, { ...status, rendered: 2 })
  const stored = await fixture.store.get('HydratedBranch', 'argocd', run.key)
  const asked: unknown[] = []
  const observed = Object.assign(Object.create(fixture.store) as typeof fixture.store, {
    get: async (...asks: Parameters<typeof fixture.store.get>): Promise<Resource | undefined> => {
      asked.push(asks.at(3))
      return stored
    },
  })
  assert.equal((await new BranchRecords(observed, memory).read(run.key))?.rendered, 2)
  assert.deepEqual(asked, [{ atLeast: stored?.metadata.resourceVersion }])
})

test('a record that another hydrator created and this one has not heard of makes the run begin again', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const { run } = await fixture.run()
  const status = { groups: [], applications: 1, rendered: 1, milliseconds: 5 }
  await new BranchRecords(fixture.store, openTestMemory()).write(run, status)
  const late = Object.assign(Object.create(fixture.store) as typeof fixture.store, {
    get: async () => undefined,
    create: (resource: Resource) => fixture.store.create(resource),
  })
  await assert.rejects(new BranchRecords(late, openTestMemory()).write(run, status), ConflictError)
})
