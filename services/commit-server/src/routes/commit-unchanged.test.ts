import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import {
  type CommitManifestsRequest,
  CommitManifestsRequestSchema,
  CommitServerService,
  CommitUnchangedRequestSchema,
  GetBranchesRequestSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import { openRepositories } from '@wadi/repositories/repository-fixture.ts'
import { directory, drySha, HydratedRepositoryFixture } from '../commit/hydrated-repository-fixture.ts'
import { contextOf } from './context-fixture.ts'
import { commitManifests } from './commit-manifests.ts'
import { commitUnchanged } from './commit-unchanged.ts'
import { getBranches } from './get-branches.ts'

const branches = ['env/dev', 'env/prod', 'env/staging']

/** Three hydrated branches of dry commit 1, and a commit-server that has not seen them. */
async function start() {
  await using owned = new AsyncDisposableStack()
  const counts = { push: 0, other: 0 }
  const slow = { pushMs: 0 }
  const fixture = owned.use(
    await HydratedRepositoryFixture.start({
      onRequest: async ({ service, method }) => {
        if (method !== 'POST') return
        counts[service === 'git-receive-pack' ? 'push' : 'other']++
        if (service === 'git-receive-pack') await delay(slow.pushMs)
      },
    }),
  )
  for (const branch of branches)
    await fixture.write({ dry: 1, branch, directories: [directory('a', branch)] })
  const context = contextOf(owned.use(await openRepositories('write')), { maxCommitBytes: 1_000_000 })
  const call = (method: keyof typeof CommitServerService.method) =>
    handlerContext(CommitServerService.method[method])
  const read = (names: readonly string[]) =>
    getBranches(context)(
      create(GetBranchesRequestSchema, {
        repoUrl: fixture.url,
        branches: names.map((branch) => ({ branch })),
      }),
      call('getBranches'),
    )
  const commit = (commits: readonly object[]) =>
    commitUnchanged(context)(
      create(CommitUnchangedRequestSchema, { repoUrl: fixture.url, commits: [...commits] }),
      call('commitUnchanged'),
    )
  const send = (requests: AsyncIterable<CommitManifestsRequest>) =>
    commitManifests(context)(requests, call('commitManifests'))
  const disposable = owned.move()
  return { fixture, counts, slow, read, commit, send, [Symbol.asyncDispose]: () => disposable.disposeAsync() }
}

test('several branches are read with one request to the remote and one fetch', async () => {
  await using bed = await start()
  bed.counts.other = 0
  const { branches: found } = await bed.read([...branches, 'env/none'])
  // The list of refs, and a fetch, which asks for those that it needs.
  assert.equal(bed.counts.other, 3)
  const states = await Promise.all(branches.map((branch) => bed.fixture.state(branch)))
  assert.deepEqual(
    found.map(({ position }) => [position?.headSha, position?.drySha]),
    [...states.map(({ head }) => [head, drySha(1)]), ['', '']],
  )
})

test('a dry commit is noted on several branches with one push, and a branch that moved alone does not land', async () => {
  await using bed = await start()
  const { branches: found } = await bed.read(branches)
  const [dev] = found
  const moved = { headSha: dev?.position?.headSha ?? '', drySha: drySha(7) }
  bed.counts.push = 0
  const { branches: landed } = await bed.commit(
    branches.map((targetBranch, index) => ({
      targetBranch,
      drySha: drySha(2),
      base: index === 0 ? moved : found[index]?.position,
    })),
  )
  assert.equal(bed.counts.push, 1)
  assert.deepEqual(
    landed.map(({ position }) => position?.drySha),
    [undefined, drySha(2), drySha(2)],
  )
  const states = await Promise.all(branches.map((branch) => bed.fixture.state(branch)))
  assert.deepEqual(
    states.map((state) => state.drySha),
    [drySha(1), drySha(2), drySha(2)],
  )
  assert.deepEqual(
    states.map(({ head }) => head),
    found.map(({ position }) => position?.headSha),
  )
})

test('a commit whose manifests are being sent is pushed with the notes of the other branches', async () => {
  await using bed = await start()
  const { branches: found } = await bed.read(branches)
  const header = (index: number, dry: number) => ({
    repoUrl: bed.fixture.url,
    targetBranch: branches[index] ?? '',
    drySha: drySha(dry),
    base: found[index]?.position ?? {},
    metadata: '{}',
  })
  bed.slow.pushMs = 400
  await bed.commit([header(2, 2)])
  bed.counts.push = 0
  const begun = Promise.withResolvers<void>()
  const requests = async function* () {
    yield create(CommitManifestsRequestSchema, { message: { case: 'commit', value: header(0, 2) } })
    begun.resolve()
    await delay(50)
    const details = { path: 'a', manifests: ['{"kind":"A"}'] }
    yield create(CommitManifestsRequestSchema, { message: { case: 'details', value: details } })
  }
  const sent = bed.send(requests())
  await begun.promise
  const [{ changedPaths }, { branches: landed }] = await Promise.all([sent, bed.commit([header(1, 2)])])
  assert.deepEqual(changedPaths, ['a'])
  assert.equal(landed[0]?.position?.drySha, drySha(2))
  assert.equal(bed.counts.push, 1)
})

test('too many branches, invalid names and details are refused before anything is done', async () => {
  await using bed = await start()
  const many = Array.from({ length: 101 }, () => 'env/dev')
  await assert.rejects(bed.read(many), {
    message: '101 branches in one request; at most 100 are accepted',
  })
  await assert.rejects(bed.read(['-x']), { name: 'InvalidInputError' })
  const base = { headSha: '', drySha: '' }
  const commit = { targetBranch: 'env/dev', drySha: drySha(2), base }
  await assert.rejects(bed.commit([{ ...commit, details: [{ path: 'a' }] }]), {
    message: 'details need CommitManifests',
  })
  await assert.rejects(bed.commit([{ ...commit, drySha: 'main' }]), { name: 'InvalidInputError' })
})
