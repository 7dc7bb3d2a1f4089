import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBranchBed } from '../branch-bed-fixture.ts'
import { application, controlPlaneObject, ownInstallation } from '../run-fixture.ts'
import { sha } from '../run-neighbours-fixture.ts'

/** A branch whose head another installation wrote, and its Application. */
async function start(installation = 'other-installation') {
  const bed = await startBranchBed()
  bed.neighbours.position = { headSha: sha(3), drySha: sha(1), installation }
  await bed.fixture.add(application('a'))
  return { ...bed, group: async () => (await bed.groups())?.[0] }
}

test('a branch of another installation is reported with what to do, once, and left alone', async () => {
  await using bed = await start()
  await bed.run()
  const group = await bed.group()
  assert.equal(group?.phase, 'Failed')
  assert.equal(
    group.message,
    'branch env/dev is hydrated by another installation of Wadi, other-installation; this one is this-installation and leaves it alone. ' +
      'Give the Applications of one of the two another branch. If the other installation is gone or to be replaced, take the branch over with ' +
      '"wadi app hydrate a --hard", or all branches with sourceHydrator.otherInstallations: take in argocd-cm; ' +
      'if this is the same installation with a new store, write the id other-installation into ConfigMap wadi-installation and restart',
  )
  await bed.run()
  assert.deepEqual(await bed.group(), group)
  bed.neighbours.position.headSha = sha(4)
  await bed.run()
  assert.equal((await bed.group())?.message, group.message)
  assert.equal(bed.neighbours.landed.length, 0)
})

test('a hard hydration takes a branch over, and the note names this installation', async () => {
  await using bed = await start()
  await bed.run()
  await bed.fixture.request('a', 'hard')
  await bed.run()
  assert.deepEqual(
    bed.neighbours.landed.map(({ header }) => header.installation),
    [ownInstallation],
  )
})

test('the setting takes branches over', async () => {
  await using bed = await start()
  await bed.run()
  const data = { 'sourceHydrator.otherInstallations': 'take' }
  await bed.fixture.add(controlPlaneObject('ConfigMap', 'argocd-cm', { data }))
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 1)
  assert.equal((await bed.group())?.phase, 'Hydrated')
})

test('a branch that this installation hydrated is left to the one that took it over', async () => {
  await using bed = await start('')
  await bed.run()
  assert.equal((await bed.group())?.phase, 'Hydrated')
  bed.neighbours.position = { headSha: sha(5), drySha: sha(1), installation: 'other-installation' }
  await bed.run()
  assert.equal((await bed.group())?.phase, 'Failed')
  assert.equal(bed.neighbours.landed.length, 1)
})
