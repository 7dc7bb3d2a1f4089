import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMirrorFixture } from '@wadi/git/mirror/mirror-fixture.ts'
import { AnnouncedHeads } from './announced-heads.ts'

const branch = 'main'

test('an announced commit is fetched, once for all who ask at that time', async (t) => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const sha = await repository.commitFiles({ a: '1' }, 'Second commit\n')
  const fetch = t.mock.method(mirror, 'fetch')
  const listing = t.mock.method(mirror, 'listRemote')
  const heads = new AnnouncedHeads()
  const found = await Promise.all([1, 2, 3].map(() => heads.head(mirror, { branch, sha })))
  assert.deepEqual(found, [sha, sha, sha])
  assert.equal(await heads.head(mirror, { branch, sha }), sha)
  assert.deepEqual([fetch.mock.callCount(), listing.mock.callCount()], [1, 0])
  assert.equal(await mirror.hasObject(sha), true)
})

test('the head is what the branch is at, not what was announced', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const announced = await repository.commitFiles({ a: '1' }, 'Second commit\n')
  const newest = await repository.commitFiles({ a: '2' }, 'Third commit\n')
  const heads = new AnnouncedHeads()
  assert.equal(await heads.head(mirror, { branch, sha: announced }), newest)
  assert.equal(await new AnnouncedHeads().head(mirror, { branch, sha: 'b'.repeat(40) }), newest)
})

test('a commit that is known already, a missing branch and a wrong name are left to a request to the remote', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const heads = new AnnouncedHeads()
  const known = { branch, sha: await repository.head() }
  assert.equal(await heads.head(mirror, known), undefined)
  assert.equal(await heads.head(mirror, { branch: 'none', sha: 'b'.repeat(40) }), undefined)
  assert.equal(await heads.head(mirror, { branch, sha: '--upload-pack=x' }), undefined)
})

test('what was found of an announcement is not the head once a newer commit was announced or all refs were asked for', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const heads = new AnnouncedHeads()
  const second = { branch, sha: await repository.commitFiles({ a: '1' }, 'Second commit\n') }
  assert.equal(await heads.head(mirror, second), second.sha)
  assert.equal(await heads.head(mirror, second, performance.now()), undefined)
  const third = { branch, sha: await repository.commitFiles({ a: '2' }, 'Third commit\n') }
  assert.equal(await heads.head(mirror, third), third.sha)
  assert.equal(await heads.head(mirror, second), undefined)
})
