import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { serviceAway } from '@wadi/rpc/service-away.ts'
import { startBranchBed } from '../branch-bed-fixture.ts'
import { application } from '../run-fixture.ts'
import { sha } from '../run-neighbours-fixture.ts'

test('a directory whose fingerprint the branch holds is not rendered again', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  await bed.run()
  await bed.fixture.add(application('b'))
  await bed.run()
  assert.deepEqual(
    bed.neighbours.landed.map(({ paths }) => paths),
    [['a'], ['b']],
  )
  assert.equal(bed.neighbours.rendered, 2)
})

test('nothing lands while a directory is missing from what was rendered', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'), application('b'))
  bed.neighbours.leftOut.add('apps/b')
  const message = 'repo-server left out 1 of 2 directories'
  await assert.rejects(bed.run(), { name: 'UnavailableError', message })
  assert.equal(bed.neighbours.landed.length, 0)
  bed.neighbours.leftOut.clear()
  await bed.run()
  assert.deepEqual(
    bed.neighbours.landed.map(({ paths }) => paths.toSorted()),
    [['a', 'b']],
  )
})

test('a repo-server that goes away during a render is waited for, and no failure', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  const { repoServer } = bed.fixture.context
  const { renderSources } = repoServer
  const goesAway: typeof renderSources = async function* () {
    Object.assign(repoServer, { renderSources })
    yield* []
    throw new UnavailableError('repo-server is not available now', { code: serviceAway })
  }
  Object.assign(repoServer, { renderSources: goesAway })
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 1)
  assert.equal((await bed.groups())?.[0]?.phase, 'Hydrated')
})

test('what one group of a branch lands leaves alone what the other one has there', async () => {
  await using bed = await startBranchBed()
  bed.neighbours.dry = { main: sha(1), release: sha(2) }
  await bed.fixture.add(application('a'), application('b', { drySource: { targetRevision: 'release' } }))
  await bed.run()
  bed.neighbours.dry['main'] = sha(3)
  await bed.run()
  bed.neighbours.fingerprint = (commit, path) => `${commit === sha(4) ? sha(2) : commit} ${path}`
  bed.neighbours.dry['release'] = sha(4)
  await bed.run()
  assert.deepEqual(
    bed.neighbours.landed.map(({ paths }) => paths).filter(({ length }) => length > 0),
    [['a'], ['b'], ['a']],
  )
})

test('a branch holds what a render found its fingerprint to be, and what was inspected elsewhere', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'), application('b'))
  const inspected = { 'apps/a': 'range 1', 'apps/b': 'one' }
  bed.neighbours.fingerprint = (_commit, path) => inspected[path as keyof typeof inspected]
  await bed.run()
  // The range of a moves while it is rendered.
  Object.assign(inspected, { 'apps/a': 'range 2', 'apps/b': 'two' })
  bed.neighbours.renderedFingerprint = (path) => (path === 'apps/a' ? 'range 3' : '')
  bed.neighbours.dry['main'] = sha(2)
  await bed.run()
  Object.assign(inspected, { 'apps/a': 'range 3' })
  bed.neighbours.dry['main'] = sha(3)
  await bed.run()
  Object.assign(inspected, { 'apps/a': 'range 2' })
  bed.neighbours.dry['main'] = sha(4)
  await bed.run()
  assert.deepEqual(
    bed.neighbours.landed.map(({ paths }) => paths.toSorted()),
    [['a', 'b'], ['a', 'b'], [], ['a']],
  )
})
