import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import {
  BranchPositionSchema,
  DryCommitSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { ServedRepositoryOptions } from '@wadi/testing/git-http-server.ts'
import { noteId } from '../branch/dry-note.ts'
import { commitRequest, directory, drySha, startRacing } from './hydrated-repository-fixture.ts'
import { RepositoryWriter } from '../push/repository-writer.ts'
import { writeCommit } from './write-commit.ts'

const withoutAtomic: ServedRepositoryOptions = { config: { 'receive.advertiseAtomic': 'false' } }

for (const [server, options] of [
  ['a server with atomic pushes', {}],
  ['a server without them', withoutAtomic],
] as const) {
  test(`two branches whose notes race both land on ${server}`, async () => {
    const { fixture, beforeNextPush } = await startRacing(options)
    await using _ = fixture
    const second = await fixture.secondMirror()
    const prodRequest = { dry: 1, directories: [directory('b', '1')], branch: 'env/prod' }
    beforeNextPush(async () => fixture.write(prodRequest, undefined, second))
    const dev = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
    assert.equal(dev.rebuilt, false)
    assert.deepEqual(dev.changedPaths, ['a'])
    const prod = await fixture.state('env/prod')
    assert.equal(prod.drySha, drySha(1))
    assert.deepEqual(dev.state, await fixture.state())
    for (const { head } of [dev.state, prod]) {
      assert.equal(await fixture.noteOf(head ?? ''), `{"drySha":"${drySha(1)}"}\n`)
      assert.deepEqual(await fixture.subjects(head ?? ''), ['1111111: change the dry side'])
    }
  })

  test(`a note that moves alone lands although another branch moved the notes, on ${server}`, async () => {
    const { fixture, beforeNextPush } = await startRacing(options)
    await using _ = fixture
    const second = await fixture.secondMirror()
    const directories = [directory('a', '1')]
    const base = (await fixture.write({ dry: 1, directories })).state
    const prod = { dry: 1, directories: [directory('b', '1')], branch: 'env/prod' }
    beforeNextPush(async () => fixture.write(prod, undefined, second))
    const moved = await fixture.write({ base, dry: 2, directories })
    assert.equal(moved.hydratedSha, base.head)
    assert.deepEqual(moved.state, await fixture.state())
    assert.equal(await fixture.noteOf(moved.hydratedSha), `{"drySha":"${drySha(2)}"}\n`)
    assert.equal((await fixture.state('env/prod')).drySha, drySha(1))
  })

  test(`of two runs from one base exactly one lands on ${server}`, async () => {
    const { fixture, beforeNextPush } = await startRacing(options)
    await using _ = fixture
    const second = await fixture.secondMirror()
    const base = (await fixture.write({ dry: 1, directories: [directory('a', '1')] })).state
    const other = { base, dry: 3, directories: [directory('a', '3')] }
    beforeNextPush(async () => fixture.write(other, undefined, second))
    await assert.rejects(fixture.write({ base, dry: 2, directories: [directory('a', '2')] }), ConflictError)
    const { head, drySha: landed } = await fixture.state()
    assert.equal(landed, drySha(3))
    assert.equal((await fixture.files(head ?? ''))['a/manifest.yaml'], 'value: 3\n')
  })
}

test('a commit of somebody else that comes in during the push is built upon', async () => {
  const { fixture, beforeNextPush } = await startRacing()
  await using _ = fixture
  const base = (await fixture.write({ dry: 1, directories: [directory('a', '1')] })).state
  beforeNextPush(async () => fixture.pushForeign('env/dev', { 'howto.md': 'theirs\n' }))
  const outcome = await fixture.write({ base, dry: 2, directories: [directory('a', '2')] }, base)
  assert.equal(outcome.rebuilt, true)
  assert.deepEqual(await fixture.subjects(outcome.hydratedSha), [
    '2222222: change the dry side',
    'By hand',
    '1111111: change the dry side',
  ])
})

test('a run that notes a foreign commit keeps an older run from moving it back', async () => {
  const { fixture, beforeNextPush } = await startRacing()
  await using _ = fixture
  const second = await fixture.secondMirror()
  const directories = [directory('a', '1')]
  const base = (await fixture.write({ dry: 1, directories })).state
  const theirs = await fixture.pushForeign('env/dev', { 'howto.md': 'theirs\n' })
  const onTop = await fixture.state()
  beforeNextPush(async () => fixture.write({ base: onTop, dry: 3, directories }, undefined, second))
  await assert.rejects(fixture.write({ base, dry: 2, directories: [directory('a', '2')] }), ConflictError)
  assert.equal((await fixture.state()).head, theirs)
  assert.equal(await fixture.noteOf(theirs), `{"drySha":"${drySha(3)}"}\n`)
})

test('a canceled write ends and pushes nothing', async () => {
  const { fixture } = await startRacing()
  await using _ = fixture
  const canceled = AbortSignal.abort(new Error('the caller went away'))
  const request = commitRequest({ dry: 1, directories: [directory('a', '1')] })
  await assert.rejects(
    writeCommit(new RepositoryWriter(fixture.mirror, fixture.trees), request, undefined, canceled),
  )
  assert.deepEqual(await fixture.refs(), {})
})

test('a note that names the dry commits of several sources fences by all of them', async () => {
  const { fixture } = await startRacing()
  await using _ = fixture
  const directories = [directory('a', '1')]
  const source = (targetRevision: string, dry: number) =>
    create(DryCommitSchema, {
      repoUrl: 'https://git.example.com/dry.git',
      targetRevision,
      drySha: drySha(dry),
    })
  const first = { dryCommits: [source('main', 9), source('stable', 1)], newestDrySha: drySha(9) }
  const base = (await fixture.write({ dry: 9, directories, header: first })).state
  const listed = (stable: number) =>
    `{"drySha":"${drySha(9)}","dryCommits":[` +
    `{"repoURL":"https://git.example.com/dry.git","targetRevision":"main","drySha":"${drySha(9)}"},` +
    `{"repoURL":"https://git.example.com/dry.git","targetRevision":"stable","drySha":"${drySha(stable)}"}]}\n`
  assert.equal(await fixture.noteOf(base.head ?? ''), listed(1))
  const next = { ...first, dryCommits: [source('main', 9), source('stable', 2)] }
  const position = { headSha: base.head ?? '', drySha: base.drySha, noteId: noteId(base.note) }
  const moved = await fixture.write({
    dry: 2,
    directories,
    header: { ...next, base: create(BranchPositionSchema, position) },
  })
  assert.deepEqual([moved.hydratedSha, moved.state.drySha], [base.head, drySha(9)])
  assert.equal(await fixture.noteOf(moved.hydratedSha), listed(2))
  const stale = { ...first, base: create(BranchPositionSchema, position) }
  await assert.rejects(fixture.write({ dry: 1, directories, header: stale }), ConflictError)
  assert.equal(await fixture.noteOf(moved.hydratedSha), listed(2))
})
