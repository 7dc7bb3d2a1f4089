import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { buildCommit, buildCommits, checkedCommit } from './build-commit.ts'
import { CommitContent } from './commit-contents.ts'
import { readCommitMetadata } from './commit-metadata.ts'
import { storeContents } from './fast-import.ts'
import { openCommitTree, TreeCache } from '../objects/commit-tree.ts'
import { startMirrorFixture } from '../mirror/mirror-fixture.ts'
import { readNote } from './read-note.ts'
import type { Mirror } from '../mirror/mirror.ts'

const author = { name: 'Wadi', email: 'wadi@example.com', date: new Date('2025-01-01T00:00:00Z') }
const plan = { message: 'Hydrate\n', author, committer: author }

async function filesOf(mirror: Mirror, sha: string): Promise<Record<string, string>> {
  const { stdout } = await mirror.raw(['ls-tree', '-r', '-z', sha])
  const tree = await openCommitTree(mirror.objects, new TreeCache(), sha)
  const lines = stdout.toString().split('\0').filter(Boolean)
  const paths = lines.map((line) => line.slice(line.indexOf('\t') + 1))
  const entries = paths.map(async (path) => [path, (await tree.read(path, 1e6)).toString()] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function refsOf(mirror: Mirror): Promise<string> {
  return (await mirror.raw(['for-each-ref', '--format=%(refname)'])).stdout.toString()
}

async function noted(mirror: Mirror, target: string, content: string, parent?: string): Promise<string> {
  const { notes = '' } = await buildCommits(mirror, [], { parent, notes: [{ target, content }], author })
  return notes
}

test('a commit keeps what its parent has, changes only what was asked for, and touches no ref', async () => {
  await using fixture = await startMirrorFixture({ keep: 'k', 'drop/a': 'a', 'drop/b': 'b', change: '1' })
  const { mirror } = fixture
  const refs = await refsOf(mirror)
  const parent = await fixture.repository.head()
  const changes = [
    { path: 'change', content: '2' },
    { path: 'new/file.yaml', content: Buffer.from('ü\n') },
    { path: 'drop', content: undefined },
  ]
  const sha = await buildCommit(mirror, { ...plan, parent, changes })
  assert.deepEqual(await filesOf(mirror, sha), { change: '2', keep: 'k', 'new/file.yaml': 'ü\n' })
  const metadata = await readCommitMetadata(mirror.objects, sha)
  assert.deepEqual(metadata.parents, [parent])
  assert.equal(metadata.author, 'Wadi <wadi@example.com>')
  assert.equal(metadata.date, '2025-01-01T00:00:00Z')
  assert.equal(await refsOf(mirror), refs)
  assert.deepEqual(
    (await readdir(mirror.directory)).filter((name) => name.startsWith('fast_import')),
    [],
  )
})

test('a commit without a parent begins a history, and equal plans give equal commits', async () => {
  await using fixture = await startMirrorFixture()
  const changes = [{ path: 'only', content: 'x' }]
  const sha = await buildCommit(fixture.mirror, { ...plan, changes })
  assert.deepEqual(await filesOf(fixture.mirror, sha), { only: 'x' })
  assert.deepEqual((await readCommitMetadata(fixture.mirror.objects, sha)).parents, [])
  assert.equal(await buildCommit(fixture.mirror, { ...plan, changes }), sha)
})

test('a commit is not committed before its parent, whatever the clock says', async () => {
  await using fixture = await startMirrorFixture()
  const late = { ...author, date: new Date('2040-01-01T00:00:00Z') }
  const parent = await buildCommit(fixture.mirror, {
    ...plan,
    committer: late,
    changes: [{ path: 'a', content: '1' }],
  })
  const sha = await buildCommit(fixture.mirror, { ...plan, parent, changes: [{ path: 'a', content: '2' }] })
  const { date, committerDate } = await readCommitMetadata(fixture.mirror.objects, sha)
  assert.deepEqual([date, committerDate], ['2025-01-01T00:00:00Z', '2040-01-01T00:00:00Z'])
})

test('paths and contents of any characters are stored as they are', async () => {
  await using fixture = await startMirrorFixture()
  const paths = ['a b', '"q"', 'back\\slash', 'new\nline', 'ünï', 'M 100644 inline x', '-flag', 'tab\t', "'"]
  const content = 'data 5\nfrom refs/heads/main\n"\0\n'
  const changes = paths.map((path) => ({ path, content }))
  const sha = await buildCommit(fixture.mirror, { ...plan, changes })
  const files = await filesOf(fixture.mirror, sha)
  assert.deepEqual(Object.keys(files).toSorted(), paths.toSorted())
  assert.deepEqual(new Set(Object.values(files)), new Set([content]))
})

for (const path of [
  '',
  '/abs',
  '../x',
  'a/../b',
  'a/./b',
  'a//b',
  'a/',
  'nul\0',
  '\ud800',
  'x'.repeat(5000),
  '.git/config',
  '.GIT/hooks/x',
  'a/.git',
  '.git /x',
  '.git./x',
  '.g\u200cit/x',
  'git~1/x',
  'GIT~1',
  '.git::$INDEX_ALLOCATION/x',
  'a\\.git\\config',
  '..\\x',
]) {
  test(`the path ${JSON.stringify(path.slice(0, 40))} is refused`, async () => {
    await using fixture = await startMirrorFixture()
    const changes = [{ path, content: 'x' }]
    await assert.rejects(buildCommit(fixture.mirror, { ...plan, changes }), InvalidInputError)
  })
}

test('plans that contradict themselves or forge a signature are refused', async () => {
  await using fixture = await startMirrorFixture()
  const refuse = (changed: Partial<Parameters<typeof buildCommit>[1]>): Promise<void> =>
    assert.rejects(buildCommit(fixture.mirror, { ...plan, changes: [], ...changed }), InvalidInputError)
  const change = (path: string): { path: string; content: string } => ({ path, content: 'x' })
  await refuse({ changes: [change('a'), change('a')] })
  await refuse({ changes: [change('a'), change('a/b')] })
  await refuse({ message: ' \n' })
  await refuse({ author: { ...author, name: 'x <y>' } })
  await refuse({ author: { ...author, email: 'x\ncommitter y' } })
  await refuse({ author: { ...author, date: new Date(Number.NaN) } })
  await refuse({ parent: 'main' })
})

test('a commit that cannot be built leaves no report behind', async () => {
  await using fixture = await startMirrorFixture()
  const call = buildCommit(fixture.mirror, { ...plan, parent: '1'.repeat(40), changes: [] })
  await assert.rejects(call, UnavailableError)
  const names = await readdir(fixture.mirror.directory)
  assert.deepEqual(
    names.filter((name) => name.startsWith('fast_import')),
    [],
  )
})

test('commits that stand on each other and notes on any commit are made with one process', async () => {
  await using fixture = await startMirrorFixture({ keep: 'k' })
  const { mirror } = fixture
  const old = await fixture.repository.head()
  const commits = [
    { ...plan, changes: [] },
    { ...plan, parent: 0, changes: [{ path: 'a', content: '1' }] },
    { ...plan, parent: old, changes: [{ path: 'b', content: '2' }] },
  ].map(checkedCommit)
  const notes = [
    { target: 1, content: 'of a' },
    { target: 2, content: 'of b' },
    { target: old, content: 'of old' },
  ]
  const built = await buildCommits(mirror, commits, { notes, author })
  const [root = '', a = '', b = ''] = built.commits
  assert.deepEqual(await filesOf(mirror, a), { a: '1' })
  assert.deepEqual(await filesOf(mirror, b), { b: '2', keep: 'k' })
  const parents = [root, a, b].map(async (sha) => (await readCommitMetadata(mirror.objects, sha)).parents)
  assert.deepEqual(await Promise.all(parents), [[], [root], [old]])
  const read = [root, a, b, old].map(async (sha) => readNote(mirror, new TreeCache(), built.notes ?? '', sha))
  assert.deepEqual(await Promise.all(read), [undefined, 'of a\n', 'of b\n', 'of old\n'])
})

test('a note is written, replaced and read by git and by us', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const target = await fixture.repository.head()
  const notesRef = 'refs/notes/hydrator.metadata'
  const first = await noted(mirror, target, '{"drySha":"1"}')
  assert.equal(await readNote(mirror, new TreeCache(), first, target), '{"drySha":"1"}\n')
  assert.equal(await readNote(mirror, new TreeCache(), first, '1'.repeat(40)), undefined)
  const second = await noted(mirror, target, '{"drySha":"2"}\n', first)
  assert.equal(await refsOf(mirror), 'refs/heads/main\n')
  await mirror.updateRef(notesRef, second)
  const { stdout } = await mirror.raw(['notes', '--ref', notesRef, 'show', target])
  assert.equal(stdout.toString(), '{"drySha":"2"}\n')
  assert.deepEqual((await readCommitMetadata(mirror.objects, second)).parents, [first])
})

test('notes by the hundreds are spread over directories as git does, and all are found', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const lines = ['commit refs/wadi/many', 'committer W <w@example.com> 1 +0000', 'data 0', '']
  const targets: string[] = []
  for (let i = 0; i < 400; i += 1) {
    const message = `${i}\n`
    const head = [`commit refs/wadi/t${i}`, `mark :${i + 1}`, 'committer W <w@example.com> 1 +0000']
    lines.unshift(...head, `data ${message.length}`, message)
    lines.push(`N inline :${i + 1}`, `data ${message.length}`, message)
  }
  await mirror.raw(['fast-import', '--quiet', '--date-format=raw'], { input: `${lines.join('\n')}\n` })
  for (let i = 0; i < 400; i += 100) targets.push((await mirror.objects.resolve(`refs/wadi/t${i}`)) ?? '')
  const currentNotesCommit = (await mirror.objects.resolve('refs/wadi/many')) ?? ''
  const target = await fixture.repository.head()
  const sha = await noted(mirror, target, 'new', currentNotesCommit)
  assert.equal(await readNote(mirror, new TreeCache(), sha, target), 'new\n')
  assert.deepEqual(
    await Promise.all(targets.map((commit) => readNote(mirror, new TreeCache(), sha, commit))),
    ['0\n', '100\n', '200\n', '300\n'],
  )
  const tree = await openCommitTree(mirror.objects, new TreeCache(), sha)
  assert.equal(
    (await tree.list('')).every(({ kind }) => kind === 'directory'),
    true,
  )
})

test('contents that were stored before are in the commit by their ids, and the pack of the commit is not all of it', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const texts = ['ü\n', '', 'ü\n', 'x: 1\n'.repeat(1_000)]
  const contents = texts.map((text) => new CommitContent(text))
  await storeContents(mirror, contents)
  const changes = [...contents, new CommitContent('new\n'), 'plain\n'].map((content, index) => ({
    path: `d/${index}`,
    content,
  }))
  const whole = await buildCommits(mirror, [checkedCommit({ ...plan, changes: changes.slice(4) })], undefined)
  assert.notEqual(whole.pack, undefined)
  const { commits, pack } = await buildCommits(mirror, [checkedCommit({ ...plan, changes })], undefined)
  assert.equal(pack, undefined)
  assert.deepEqual(
    await filesOf(mirror, commits[0] ?? ''),
    Object.fromEntries([...texts, 'new\n', 'plain\n'].map((text, index) => [`d/${index}`, text])),
  )
})

test('a mirror that lost what was stored in it is damaged, so that the commit is made again', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const content = new CommitContent('lost\n')
  await storeContents(mirror, [content])
  await mirror.recreate()
  await assert.rejects(buildCommit(mirror, { ...plan, changes: [{ path: 'a', content }] }), UnavailableError)
})
