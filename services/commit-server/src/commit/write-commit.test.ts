import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import {
  directory,
  directoryWithFiles,
  drySha,
  HydratedRepositoryFixture,
} from './hydrated-repository-fixture.ts'

const branch = 'refs/heads/env/dev'
const notes = 'refs/notes/hydrator.metadata'

test('a commit holds the directories, the root metadata and a note, by the names that Argo CD uses', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const outcome = await fixture.write({ dry: 1, directories: [directory('apps/web', 'one')] })
  const { hydratedSha } = outcome
  assert.deepEqual(outcome.changedPaths, ['apps/web'])
  assert.equal(outcome.rebuilt, false)
  assert.deepEqual(await fixture.files(hydratedSha), {
    'apps/web/README.md': 'README of apps/web\n',
    'apps/web/hydrator.metadata': '{"value":"one"}\n',
    'apps/web/manifest.yaml': 'value: one\n',
    'hydrator.metadata': `{"drySha":"${drySha(1)}"}\n`,
  })
  assert.equal(await fixture.noteOf(hydratedSha), `{"drySha":"${drySha(1)}"}\n`)
  const { stdout } = await fixture.mirror.raw(['log', '--format=%an <%ae>|%cn <%ce>|%P|%B', hydratedSha])
  const person = 'Argo CD <argo-cd@example.com>'
  assert.equal(stdout.toString().trim(), `${person}|${person}||1111111: change the dry side`)
  assert.deepEqual(outcome.state, await fixture.state())
})

test('message, author and author time are those of the request', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const header = {
    message: 'One\n\ntwo\n',
    authorName: 'Bot',
    authorEmail: 'bot@example.com',
    authorTime: '2024-03-27T10:32:04Z',
  }
  const { hydratedSha } = await fixture.write({ dry: 1, directories: [directory('a', '1')], header })
  const { stdout } = await fixture.mirror.raw(['log', '--format=%an <%ae> %aI|%cn <%ce>|%B', hydratedSha])
  assert.match(
    stdout.toString(),
    /^Bot <bot@example.com> 2024-03-27T10:32:04(?:Z|\+00:00)\|Bot <bot@example.com>\|One\n\ntwo\n\n$/,
  )
})

test('a dry commit that changes no manifest makes no commit; the note moves and the state has the new dry commit', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1')]
  const first = await fixture.write({ dry: 1, directories })
  const second = await fixture.write({ base: first.state, dry: 2, directories }, first.state)
  assert.equal(second.hydratedSha, first.hydratedSha)
  assert.deepEqual(second.changedPaths, [])
  assert.equal(await fixture.noteOf(first.hydratedSha), `{"drySha":"${drySha(2)}"}\n`)
  assert.deepEqual(await fixture.state(), second.state)
  assert.equal(second.state.drySha, drySha(2))
})

test('the same request from where it ended pushes nothing', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1')]
  const first = await fixture.write({ dry: 1, directories })
  const before = await fixture.refs()
  const again = await fixture.write({ base: first.state, dry: 1, directories })
  assert.deepEqual(again, { ...first, changedPaths: [] })
  assert.deepEqual(await fixture.refs(), before)
})

test('the same request repeated from its old base is refused and makes no second commit', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const parts = { dry: 1, directories: [directory('a', '1')] }
  const first = await fixture.write(parts)
  const before = await fixture.refs()
  await assert.rejects(fixture.write(parts), ConflictError)
  assert.deepEqual(await fixture.refs(), before)
  assert.deepEqual(await fixture.subjects(first.hydratedSha), ['1111111: change the dry side'])
})

test('a base that another run moved is a conflict and nothing is pushed, whatever this process remembers', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const base = (await fixture.write({ dry: 1, directories: [directory('a', '1')] })).state
  await fixture.write({ base, dry: 3, directories: [directory('a', '3')] })
  const before = await fixture.refs()
  for (const known of [undefined, base]) {
    const late = fixture.write({ base, dry: 2, directories: [directory('a', '2')] }, known)
    await assert.rejects(late, { name: 'ConflictError', message: /branch env\/dev was moved by another run/ })
  }
  assert.deepEqual(await fixture.refs(), before)
})

test('a note that another run moved is a conflict too', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1')]
  const base = (await fixture.write({ dry: 1, directories })).state
  await fixture.write({ base, dry: 3, directories })
  const before = await fixture.refs()
  await assert.rejects(fixture.write({ base, dry: 2, directories: [directory('a', '2')] }), ConflictError)
  await assert.rejects(fixture.write({ base, dry: 2, directories }, base), ConflictError)
  assert.deepEqual(await fixture.refs(), before)
})

test('a run that expects no branch finds one that another run made, and one that was deleted', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const base = (await fixture.write({ dry: 1, directories: [directory('a', '1')] })).state
  await assert.rejects(fixture.write({ dry: 2, directories: [directory('a', '2')] }), ConflictError)
  await fixture.git('update-ref', '-d', branch)
  await assert.rejects(fixture.write({ base, dry: 2, directories: [directory('a', '2')] }), ConflictError)
  assert.deepEqual(Object.keys(await fixture.refs()), [notes])
})

test('a commit of somebody else is built upon and kept', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const first = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
  const theirs = await fixture.pushForeign('env/dev', { 'docs/howto.md': 'theirs\n' })
  for (const [dry, known] of [
    [2, undefined],
    [3, first.state],
  ] as const) {
    const base = dry === 2 ? first.state : await fixture.state()
    const outcome = await fixture.write({ base, dry, directories: [directory('a', String(dry))] }, known)
    const files = await fixture.files(outcome.hydratedSha)
    assert.equal(outcome.rebuilt, dry === 2)
    assert.equal(files['docs/howto.md'], 'theirs\n')
    assert.equal(files['a/manifest.yaml'], `value: ${dry}\n`)
    assert.equal(await fixture.mirror.isAncestor(theirs, outcome.hydratedSha), true)
    assert.equal(await fixture.noteOf(outcome.hydratedSha), `{"drySha":"${drySha(dry)}"}\n`)
  }
})

test('a foreign commit on top of a moved note is built upon, not taken for another run', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1')]
  const first = await fixture.write({ dry: 1, directories })
  const noted = await fixture.write({ base: first.state, dry: 2, directories })
  await fixture.pushForeign('env/dev', { 'howto.md': 'theirs\n' })
  const outcome = await fixture.write({ base: noted.state, dry: 3, directories: [directory('a', '3')] })
  assert.equal(outcome.rebuilt, true)
  assert.deepEqual(await fixture.subjects(outcome.hydratedSha), [
    '3333333: change the dry side',
    'By hand',
    '1111111: change the dry side',
  ])
})

test('a manifest that somebody else edited by hand is written again', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1')]
  const first = await fixture.write({ dry: 1, directories })
  await fixture.pushForeign('env/dev', { 'a/manifest.yaml': 'value: by hand\n' })
  const outcome = await fixture.write({ base: first.state, dry: 1, directories })
  assert.deepEqual(outcome.changedPaths, ['a'])
  assert.equal((await fixture.files(outcome.hydratedSha))['a/manifest.yaml'], 'value: 1\n')
})

test('removed paths lose what Wadi wrote and keep what it did not', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1'), directory('b', '1')]
  const first = await fixture.write({ dry: 1, directories })
  await fixture.pushForeign('env/dev', { 'b/extra.txt': 'theirs\n' })
  const base = await fixture.state()
  const outcome = await fixture.write({ base, dry: 2, directories: [], removedPaths: ['b', 'never-there'] })
  assert.deepEqual(outcome.changedPaths, ['b'])
  assert.notEqual(outcome.hydratedSha, first.hydratedSha)
  assert.deepEqual(Object.keys(await fixture.files(outcome.hydratedSha)).toSorted(), [
    'a/README.md',
    'a/hydrator.metadata',
    'a/manifest.yaml',
    'b/extra.txt',
    'hydrator.metadata',
  ])
})

test('files are committed with mode 100644 and go with the package, a directory becomes a file', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const first = await fixture.write({
    dry: 1,
    directories: [directoryWithFiles('a', '1', { 'etc/x': 'x\n', 'b "q" ä': 'b\n' })],
  })
  await fixture.pushForeign('env/dev', { 'a/files/theirs': 'theirs\n' })
  const listed = await fixture.mirror.raw(['ls-tree', '-r', '-z', first.hydratedSha, 'a/files'])
  const modes = listed.stdout.toString().split('\0').filter(Boolean)
  assert.deepEqual(
    modes.map((entry) => [entry.slice(0, 6), entry.split('\t')[1]]),
    [
      ['100644', 'a/files/b "q" ä'],
      ['100644', 'a/files/etc/x'],
    ],
  )
  const base = await fixture.state()
  const second = await fixture.write({
    base,
    dry: 2,
    directories: [directoryWithFiles('a', '1', { etc: '' })],
  })
  const files = Object.entries(await fixture.files(second.hydratedSha))
  assert.deepEqual(
    files.filter(([name]) => name.startsWith('a/files/')),
    [
      ['a/files/etc', ''],
      ['a/files/theirs', 'theirs\n'],
    ],
  )
})

test('a hook that declines notes is reported with all refs that it saw, and with its words', async () => {
  const preReceive =
    '#!/bin/sh\nwhile read _ _ ref; do case $ref in refs/notes/*) echo "no notes here" >&2; exit 1;; esac; done\n'
  await using fixture = await HydratedRepositoryFixture.start({ preReceive })
  await assert.rejects(
    fixture.write({ dry: 1, directories: [directory('a', '1')] }),
    /pre-receive hook .* declined refs\/heads\/env\/dev and refs\/notes\/hydrator\.metadata together: .*no notes here/,
  )
  assert.deepEqual(await fixture.refs(), {})
})

test('a protected branch is reported with the message of its server and nothing lands', async () => {
  const preReceive = '#!/bin/sh\necho "protected by policy 7" >&2\nexit 1\n'
  await using fixture = await HydratedRepositoryFixture.start({ preReceive })
  await assert.rejects(fixture.write({ dry: 1, directories: [directory('a', '1')] }), {
    name: 'FailedPreconditionError',
    message: /protected by policy 7/,
  })
  assert.deepEqual(await fixture.refs(), {})
})
