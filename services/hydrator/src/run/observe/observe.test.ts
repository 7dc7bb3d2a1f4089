import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBranchBed } from '../branch-bed-fixture.ts'
import { application } from '../run-fixture.ts'
import { sha } from '../run-neighbours-fixture.ts'

test('a dry commit that was found before another run moved the branch is not what the branch is brought to', async () => {
  await using bed = await startBranchBed()
  const { neighbours, fixture } = bed
  await fixture.add(application('a'))
  await bed.run()
  // The first answer was on its way when another run brought the branch to a newer commit.
  const answers = [sha(2)]
  neighbours.dryCommitOf = () => answers.shift() ?? sha(3)
  neighbours.position = { ...neighbours.position, headSha: sha(7), drySha: sha(3) }
  await bed.run()
  assert.deepEqual(
    neighbours.landed.map(({ header }) => header.drySha),
    [sha(1), sha(3)],
  )
})
