import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ConflictError, FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import type { ServedRepositoryOptions } from '@wadi/testing/git-http-server.ts'
import {
  commitRequest,
  directory,
  drySha,
  HydratedRepositoryFixture,
  type RequestParts,
} from '../commit/hydrated-repository-fixture.ts'
import { type CommitOutcome, writeCommit } from '../commit/write-commit.ts'
import { RepositoryWriter } from './repository-writer.ts'

const note = `{"drySha":"${drySha(1)}"}\n`

/** A repository with one writer, whose pushes are counted and can be held. */
async function startWriting(options: ServedRepositoryOptions = {}) {
  const pushes = { count: 0, hold: Promise.resolve() }
  const fixture = await HydratedRepositoryFixture.start({
    ...options,
    onRequest: async ({ method, service }) => {
      if (method !== 'POST' || service !== 'git-receive-pack') return
      pushes.count++
      await pushes.hold
    },
  })
  const writer = new RepositoryWriter(fixture.mirror, fixture.trees)
  const write = (parts: RequestParts, signal = fixture.signal): Promise<CommitOutcome> =>
    writeCommit(writer, commitRequest(parts), undefined, signal)
  /** Holds the push of one branch, begins the work of others meanwhile, and lets all go on. */
  const duringSlowPush = async <Result>(begin: () => Promise<Result>): Promise<Result> => {
    const held = Promise.withResolvers<void>()
    pushes.hold = held.promise
    const slow = write({ dry: 1, branch: 'env/slow', directories: [directory('a', '1')] })
    while (pushes.count === 0) await new Promise(setImmediate)
    const result = begin()
    held.resolve()
    await slow
    return result
  }
  return { fixture, writer, write, pushes, duringSlowPush }
}

function branchesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `env/${String(index).padStart(2, '0')}`)
}

test('twenty branches that are ready during a push land in one push with one commit of notes', async () => {
  const { fixture, write, pushes, duringSlowPush } = await startWriting()
  await using _ = fixture
  const branches = branchesOf(20)
  const outcomes = await duringSlowPush(() =>
    Promise.all(branches.map((branch) => write({ dry: 1, branch, directories: [directory('a', branch)] }))),
  )
  assert.equal(pushes.count, 2)
  const refs = await fixture.refs()
  assert.equal((await fixture.subjects(refs[notesRef] ?? '')).length, 2)
  for (const [index, branch] of branches.entries()) {
    const { hydratedSha, state } = outcomes[index] ?? {}
    assert.equal(refs[`refs/heads/${branch}`], hydratedSha)
    assert.equal(await fixture.noteOf(hydratedSha ?? ''), note)
    assert.deepEqual(state, await fixture.state(branch))
    assert.equal((await fixture.files(hydratedSha ?? ''))['a/manifest.yaml'], `value: ${branch}\n`)
  }
})

test('branches that do not change get their notes with one push, from what is known', async () => {
  const { fixture, write, pushes } = await startWriting()
  await using _ = fixture
  const branches = branchesOf(5)
  const parts = (branch: string) => ({ branch, directories: [directory('a', branch)] })
  const first = await Promise.all(branches.map((branch) => write({ dry: 1, ...parts(branch) })))
  pushes.count = 0
  const second = await Promise.all(
    branches.map((branch, index) => write({ base: first[index]?.state, dry: 2, ...parts(branch) })),
  )
  assert.equal(pushes.count, 1)
  for (const [index, branch] of branches.entries()) {
    assert.equal(second[index]?.hydratedSha, first[index]?.hydratedSha)
    assert.deepEqual(await fixture.state(branch), second[index]?.state)
    assert.equal(second[index]?.state.drySha, drySha(2))
  }
})

test('a push waits for a write that is announced, and both land with one', async () => {
  const { fixture, writer, write, pushes } = await startWriting()
  await using _ = fixture
  await write({ dry: 1, branch: 'env/first', directories: [directory('a', '1')] })
  pushes.count = 0
  const coming = writer.expect()
  const early = write({ dry: 1, branch: 'env/early', directories: [directory('a', 'early')] })
  await delay(10)
  const late = write({ dry: 1, branch: 'env/late', directories: [directory('a', 'late')] })
  coming[Symbol.dispose]()
  await Promise.all([early, late])
  assert.equal(pushes.count, 1)
})

test('a write that was announced and does not come holds others no longer than a push takes', async () => {
  const { fixture, writer, write, pushes } = await startWriting()
  await using _ = fixture
  await write({ dry: 1, branch: 'env/first', directories: [directory('a', '1')] })
  const coming = writer.expect()
  await write({ dry: 1, branch: 'env/other', directories: [directory('a', 'other')] })
  assert.equal(pushes.count, 2)
  coming[Symbol.dispose]()
})

const protectedBranch = `#!/bin/sh
while read old new ref; do
  case $ref in refs/heads/env/03) echo "branch is protected" >&2; exit 1;; esac
done
`

test('of branches that are pushed together a protected one fails alone', async () => {
  const { fixture, write, duringSlowPush } = await startWriting({ preReceive: protectedBranch })
  await using _ = fixture
  const branches = branchesOf(8)
  const settled = await duringSlowPush(() =>
    Promise.allSettled(
      branches.map((branch) => write({ dry: 1, branch, directories: [directory('a', branch)] })),
    ),
  )
  const refs = await fixture.refs()
  for (const [index, branch] of branches.entries()) {
    const result = settled[index]
    if (branch === 'env/03') {
      assert.ok(result?.status === 'rejected' && result.reason instanceof FailedPreconditionError)
      assert.match(result.reason.message, /branch is protected/)
      assert.equal(refs[`refs/heads/${branch}`], undefined)
    } else {
      assert.ok(result?.status === 'fulfilled')
      assert.equal(refs[`refs/heads/${branch}`], result.value.hydratedSha)
      assert.equal(await fixture.noteOf(result.value.hydratedSha), note)
    }
  }
})

test('of branches that are pushed together one that somebody moved is built again alone', async () => {
  const { fixture, write, duringSlowPush } = await startWriting()
  await using _ = fixture
  const branches = branchesOf(5)
  const first = await Promise.all(
    branches.map((branch) => write({ dry: 1, branch, directories: [directory('a', '1')] })),
  )
  const outcomes = await duringSlowPush(async () => {
    await fixture.pushForeign('env/02', { 'howto.md': 'theirs\n' })
    return Promise.all(
      branches.map((branch, index) =>
        write({ base: first[index]?.state, dry: 2, branch, directories: [directory('a', '2')] }),
      ),
    )
  })
  for (const [index, branch] of branches.entries()) {
    const { rebuilt, hydratedSha = '' } = outcomes[index] ?? {}
    assert.equal(rebuilt, branch === 'env/02')
    assert.equal((await fixture.refs())[`refs/heads/${branch}`], hydratedSha)
    const subjects = ['2222222: change the dry side', '1111111: change the dry side']
    assert.deepEqual(
      await fixture.subjects(hydratedSha),
      branch === 'env/02' ? subjects.toSpliced(1, 0, 'By hand') : subjects,
    )
    assert.equal(await fixture.noteOf(hydratedSha), `{"drySha":"${drySha(2)}"}\n`)
  }
})

test('a ref that can never be moved does not keep the others of its push from landing', async () => {
  const { fixture, write, duringSlowPush } = await startWriting({
    config: { 'core.filesRefLockTimeout': '0' },
  })
  await using _ = fixture
  const branches = branchesOf(4)
  await Promise.all(branches.map((branch) => write({ dry: 1, branch, directories: [directory('a', '1')] })))
  const states = await Promise.all(branches.map((branch) => fixture.state(branch)))
  await writeFile(path.join(fixture.served, 'refs/heads/env/01.lock'), '')
  const settled = await duringSlowPush(() =>
    Promise.allSettled(
      branches.map((branch, index) =>
        write({ base: states[index], dry: 2, branch, directories: [directory('a', '2')] }),
      ),
    ),
  )
  assert.deepEqual(
    settled.map((result) => result.status === 'fulfilled' || result.reason instanceof UnavailableError),
    [true, true, true, true],
  )
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})

test('a caller who goes away while a push is under way leaves the next one, which the others are in', async () => {
  const { fixture, write, pushes, duringSlowPush } = await startWriting()
  await using _ = fixture
  const caller = new AbortController()
  const parts = (branch: string) => ({ dry: 1, branch, directories: [directory('a', branch)] })
  const settled = await duringSlowPush(() => {
    const writes = Promise.allSettled([
      write(parts('env/gone'), caller.signal),
      write(parts('env/a')),
      write(parts('env/b')),
    ])
    caller.abort()
    return writes
  })
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
  assert.equal(pushes.count, 2)
  const branches = Object.keys(await fixture.refs()).filter((ref) => ref.startsWith('refs/heads/'))
  assert.deepEqual(branches.toSorted(), ['refs/heads/env/a', 'refs/heads/env/b', 'refs/heads/env/slow'])
})

test('of two writes of one branch from one position one lands, also while both wait', async () => {
  const { fixture, write, duringSlowPush } = await startWriting()
  await using _ = fixture
  const settled = await duringSlowPush(() =>
    Promise.allSettled(
      [1, 2].map((dry) => write({ dry, branch: 'env/dev', directories: [directory('a', `${dry}`)] })),
    ),
  )
  const [first, second] = settled
  assert.ok(first?.status === 'fulfilled')
  assert.ok(second?.status === 'rejected' && second.reason instanceof ConflictError)
  assert.equal((await fixture.state()).head, first.value.hydratedSha)
})

test('branches that are deployed from one missing branch create it once', async () => {
  const { fixture, write, duringSlowPush } = await startWriting()
  await using _ = fixture
  const outcomes = await duringSlowPush(() =>
    Promise.all(
      branchesOf(3).map((branch) =>
        write({ dry: 1, branch, syncBranch: 'env/main', directories: [directory('a', branch)] }),
      ),
    ),
  )
  const { 'refs/heads/env/main': syncHead } = await fixture.refs()
  for (const { state, hydratedSha } of outcomes) {
    assert.equal(state.syncHead, syncHead)
    assert.deepEqual(await fixture.subjects(hydratedSha), [
      '1111111: change the dry side',
      'Initial commit for env/main',
    ])
  }
})

test('a server without atomic pushes gets all branches, and the notes of those that do not move with one push', async () => {
  const { fixture, write, pushes } = await startWriting({ config: { 'receive.advertiseAtomic': 'false' } })
  await using _ = fixture
  const branches = branchesOf(3)
  const parts = (branch: string) => ({ branch, directories: [directory('a', branch)] })
  const first = await Promise.all(branches.map((branch) => write({ dry: 1, ...parts(branch) })))
  for (const [index, branch] of branches.entries()) {
    const { head, drySha: landed } = await fixture.state(branch)
    assert.deepEqual([head, landed], [first[index]?.hydratedSha, drySha(1)])
  }
  pushes.count = 0
  await Promise.all(
    branches.map((branch, index) => write({ base: first[index]?.state, dry: 2, ...parts(branch) })),
  )
  assert.equal(pushes.count, 1)
  for (const branch of branches) assert.equal((await fixture.state(branch)).drySha, drySha(2))
})

test('a note that another process wrote is not overwritten from an older position, whatever else was read since', async () => {
  const { fixture, writer, write } = await startWriting()
  await using _ = fixture
  const directories = [directory('a', '1')]
  const base = (await write({ dry: 1, directories })).state
  const second = await fixture.secondMirror()
  await fixture.write({ base, dry: 3, directories }, undefined, second)
  const { refs } = await fixture.mirror.listRemote()
  writer.known.listed(refs, performance.now())
  await assert.rejects(write({ base, dry: 2, directories }), ConflictError)
  assert.equal(await fixture.noteOf(base.head ?? ''), `{"drySha":"${drySha(3)}"}\n`)
})
