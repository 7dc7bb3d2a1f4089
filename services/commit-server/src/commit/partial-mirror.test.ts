import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { kinds } from '@wadi/git/mirror/part-mirror-fixture.ts'
import { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { hydratedFiles, notesRef } from '@wadi/hydration/hydrated-files.ts'
import { RestoreBranchRequestSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readBranchState } from '../branch/branch-state.ts'
import { manifestCommits } from '../branch/manifest-commits.ts'
import { namedCommit } from '../branch/named-commit.ts'
import { RepositoryWriter } from '../push/repository-writer.ts'
import { commitRequest, directory, HydratedRepositoryFixture } from './hydrated-repository-fixture.ts'
import { restoreBranch } from './restore-branch.ts'
import { type CommitOutcome, writeCommit } from './write-commit.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const branch = 'env/dev'
type Answer = () => number | undefined | Promise<undefined>

/** The cache of a process that has just started. */
const openTrees = (): TreeCache => new TreeCache({ fetchesBeside: false })

/** A branch of three hydrated commits, and a mirror of a process that has just started. */
async function startHydrated() {
  let answer: Answer = () => undefined
  const fixture = await HydratedRepositoryFixture.start({
    onRequest: async ({ method, service }) =>
      method === 'POST' && service === 'git-upload-pack' ? answer() : undefined,
  })
  const heads: string[] = []
  for (const value of ['1', '2', '3']) {
    const base = heads.length === 0 ? undefined : await fixture.state()
    const directories = names.map((name) => directory(name, value))
    const { hydratedSha } = await fixture.write({ base, dry: Number(value), directories })
    heads.push(hydratedSha)
  }
  const second = await fixture.secondMirror()
  return { fixture, second, heads, answerWith: (next: Answer) => (answer = next) }
}

/** Writes one directory as that process does. */
async function writeOne(mirror: Mirror, signal: AbortSignal): Promise<CommitOutcome> {
  const trees = openTrees()
  const base = await readBranchState(mirror, trees, { branch, syncBranch: '' }, signal)
  const request = commitRequest({ base, dry: 4, directories: [directory('b', '4')] })
  return writeCommit(new RepositoryWriter(mirror, trees), request, undefined, signal)
}

/** Asserts that the server has everything of the branch, whose files are as they must be. */
async function assertWritten(fixture: HydratedRepositoryFixture): Promise<void> {
  await fixture.git('fsck', '--connectivity-only', '--no-dangling')
  for (const name of names) {
    const value = await fixture.git('show', `${branch}:${name}/${hydratedFiles.manifest}`)
    assert.equal(value.trim(), `value: ${name === 'b' ? '4' : '3'}`)
  }
}

test('a commit fetches the trees of the head and the records that it replaces, no history and no manifests', async () => {
  const { fixture, second } = await startHydrated()
  await using _ = fixture
  await writeOne(second, fixture.signal)
  assert.equal(second.isPart, true)
  const built = ['manifest', 'README', 'record', 'record of the root', 'note'].length
  const fetched = ['record of b', 'note of the head'].length
  const found = await kinds(second)
  assert.ok(found.filter((kind) => kind === 'blob').length <= built + fetched, found.join(' '))
  const commits = ['the head', 'its notes', 'what was built on the one', 'and on the other'].length
  assert.equal(found.filter((kind) => kind === 'commit').length, commits)
  await assertWritten(fixture)
})

for (const answered of ['with 403', 'never'] as const) {
  test(`a request in the middle of a commit that is answered ${answered} leaves the branch as it was`, async () => {
    const { fixture, second, answerWith } = await startHydrated()
    await using _ = fixture
    const before = await fixture.refs()
    const failures: unknown[] = []
    for (let at = 1; at < 10 && failures.length === at - 1; at += 1) {
      const given = new AbortController()
      let requests = 0
      answerWith(() => {
        requests += 1
        if (requests !== at) return undefined
        if (answered === 'with 403') return 403
        given.abort(new Error('too late'))
        return new Promise(() => undefined)
      })
      await writeOne(second, given.signal).catch((error: unknown) => failures.push(error))
      if (failures.length === at) assert.deepEqual(await fixture.refs(), before)
    }
    // The refs, the trees and the files were asked for one after the other.
    assert.ok(failures.length >= 3, String(failures))
    await assertWritten(fixture)
  })
}

test('a branch that was moved back by force, whose commits nobody has any more, is written on its new head', async () => {
  const { fixture, second, heads } = await startHydrated()
  await using _ = fixture
  const { signal } = fixture
  const base = await readBranchState(second, openTrees(), { branch, syncBranch: '' }, signal)
  await fixture.git('update-ref', `refs/heads/${branch}`, heads[1] ?? '')
  await fixture.git('update-ref', '-d', notesRef)
  await fixture.git('reflog', 'expire', '--expire=now', '--all')
  await fixture.git('gc', '--quiet', '--prune=now')
  const request = commitRequest({
    base,
    dry: 4,
    directories: names.map((name) => directory(name, name === 'b' ? '4' : '3')),
  })
  await assert.rejects(writeCommit(new RepositoryWriter(second, openTrees()), request, undefined, signal))
  const now = await readBranchState(second, openTrees(), { branch, syncBranch: '' }, signal)
  assert.equal(now.head, heads[1])
  const again = commitRequest({
    base: now,
    dry: 4,
    directories: names.map((name) => directory(name, name === 'b' ? '4' : '3')),
  })
  await writeCommit(new RepositoryWriter(second, openTrees()), again, undefined, signal)
  await assertWritten(fixture)
})

test('a branch that was moved back is restored to commits whose files were never fetched', async () => {
  const { fixture, second, heads } = await startHydrated()
  await using _ = fixture
  const [first = '', , knownHead = ''] = heads
  await fixture.git('update-ref', `refs/heads/${branch}`, first)
  await fixture.git('update-ref', '-d', notesRef)
  const request = create(RestoreBranchRequestSchema, { branch, knownHead, head: first })
  const restored = await restoreBranch(
    new RepositoryWriter(second, openTrees()),
    request,
    undefined,
    fixture.signal,
  )
  assert.equal(restored.head, knownHead)
  assert.equal((await fixture.refs())[`refs/heads/${branch}`], knownHead)
})

test('history and older commits come when they are asked for', async () => {
  const { fixture, second, heads } = await startHydrated()
  await using _ = fixture
  const { signal } = fixture
  const trees = openTrees()
  await readBranchState(second, trees, { branch, syncBranch: '' }, signal)
  const [oldest = ''] = heads
  assert.equal(await namedCommit({ trees }, second, oldest, signal), oldest)
  await assert.rejects(namedCommit({ trees }, second, '1'.repeat(40), signal), { name: 'NotFoundError' })
  const wanted = { head: heads[2] ?? '', paths: ['a'], limit: 10 }
  const commits = await manifestCommits(second, trees, wanted, signal)
  assert.deepEqual(
    commits.map(({ sha }) => sha),
    heads.toReversed(),
  )
  assert.equal((await kinds(second)).filter((kind) => kind === 'blob').length < 5, true)
})

test('notes are divided although most of them were never fetched', async () => {
  const { fixture, second } = await startHydrated()
  await using _ = fixture
  const ids = Array.from({ length: 300 }, (_unused, index) =>
    index.toString(16).padStart(4, '0').padEnd(40, 'f'),
  )
  const lines = ids.map((id) => `M 100644 inline ${id}\ndata ${id.length}\n${id}\n`).join('')
  const head = (await fixture.refs())[notesRef] ?? ''
  const commit = `commit ${notesRef}\ncommitter Test <test@example.com> 1800000000 +0000\ndata 0\nfrom ${head}\n${lines}\n`
  await fixture.fastImport(commit)
  await writeOne(second, fixture.signal)
  await assertWritten(fixture)
  const listed = (await fixture.git('ls-tree', '-r', '--name-only', notesRef)).trim().split('\n')
  assert.equal(listed.length, 304)
  assert.equal((await fixture.noteOf(branch)) !== undefined, true)
})
