import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { startBranchBed } from './branch-bed-fixture.ts'
import { application } from './run-fixture.ts'
import { sha } from './run-neighbours-fixture.ts'

/** A branch with every dry commit that holds the first one, and is asked for two more; the first of these is away. */
async function startBehind() {
  const bed = await startBranchBed()
  await bed.fixture.add(application('a', { annotations: { 'wadi.dev/lineage': 'every' } }))
  await bed.run()
  await bed.fixture.reload()
  bed.neighbours.history = [sha(1), sha(2), sha(3)]
  bed.neighbours.dry = { main: sha(3) }
  bed.neighbours.away.add(sha(2))
  return { ...bed, drySHAs: () => bed.neighbours.landed.map(({ header }) => header.drySha) }
}

test('a dry commit whose error passes is hydrated before those after it', async () => {
  await using bed = await startBehind()
  await assert.rejects(bed.run(), UnavailableError)
  assert.deepEqual(bed.drySHAs(), [sha(1)])
  assert.match(JSON.stringify(await bed.groups()), /the base is away/)
  bed.neighbours.away.clear()
  await bed.run()
  assert.deepEqual(bed.drySHAs(), [sha(1), sha(2), sha(3)])
})

test('a dry commit whose error does not pass holds the branch for five runs', async () => {
  await using bed = await startBehind()
  for (let runs = 0; runs < 5; runs++) await assert.rejects(bed.run(), UnavailableError)
  assert.deepEqual(bed.drySHAs(), [sha(1)])
  await bed.run()
  assert.deepEqual(bed.drySHAs(), [sha(1), sha(3)])
})
