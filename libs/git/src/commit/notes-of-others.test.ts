import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { readCommitMetadata } from './commit-metadata.ts'
import { buildCommits, checkedCommit } from './build-commit.ts'
import { findNote, readNote } from './read-note.ts'
import { startMirrorFixture } from '../mirror/mirror-fixture.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { openCommitTree, TreeCache } from '../objects/commit-tree.ts'

const ref = 'refs/notes/hydrator.metadata'
const author = { name: 'Wadi', email: 'wadi@example.com', date: new Date('2025-01-01T00:00:00Z') }
const git = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com']

/** Names of commits that nobody has, spread as those of commits are. */
function otherCommits(count: number): string[] {
  return Array.from({ length: count }, (_, index) => createHash('sha1').update(`${index}`).digest('hex'))
}

function flat(sha: string): string {
  return sha
}

function once(sha: string): string {
  return `${sha.slice(0, 2)}/${sha.slice(2)}`
}

function twice(sha: string): string {
  return `${sha.slice(0, 2)}/${sha.slice(2, 4)}/${sha.slice(4)}`
}

/** Makes the notes of another program: a text at each path. */
async function writeNotes(
  mirror: Mirror,
  notes: Record<string, string>,
  { mode = '100644' } = {},
): Promise<string> {
  const parent = await mirror.objects.resolve(ref)
  const lines = [`commit ${ref}`, 'committer O <o@example.com> 1 +0000', 'data 0']
  if (parent !== undefined) lines.push(`from ${parent}`)
  for (const [path, text] of Object.entries(notes)) {
    lines.push(`M ${mode} inline ${path}`, `data ${Buffer.byteLength(text)}`, text)
  }
  await mirror.raw(['fast-import', '--quiet', '--date-format=raw', '--force'], {
    input: `${lines.join('\n')}\n`,
  })
  return (await mirror.objects.resolve(ref)) ?? ''
}

async function fill(mirror: Mirror, count: number, place: (sha: string) => string): Promise<string> {
  return writeNotes(mirror, Object.fromEntries(otherCommits(count).map((sha) => [place(sha), 'other'])))
}

/** Writes notes as Wadi does, onto what the ref names, and moves it. */
async function note(mirror: Mirror, notes: Record<string, string>): Promise<string> {
  const parent = await mirror.objects.resolve(ref)
  const planned = Object.entries(notes).map(([target, content]) => ({ target, content }))
  const built = await buildCommits(mirror, [], { parent, notes: planned, author })
  await mirror.updateRef(ref, built.notes)
  if (parent !== undefined) {
    assert.deepEqual((await readCommitMetadata(mirror.objects, built.notes ?? '')).parents, [parent])
  }
  return built.notes ?? ''
}

async function noteOfGit(mirror: Mirror, target: string, text: string): Promise<void> {
  await mirror.raw([...git, 'notes', '--ref', ref, 'add', '-f', '-m', text, target])
}

async function shownByGit(mirror: Mirror, target: string): Promise<string> {
  return (await mirror.raw(['notes', '--ref', ref, 'show', target])).stdout.toString()
}

async function countByGit(mirror: Mirror): Promise<number> {
  const { stdout } = await mirror.raw(['notes', '--ref', ref, 'list'])
  return stdout.toString().trim().split('\n').length
}

async function placesOf(mirror: Mirror, target: string): Promise<string[]> {
  const { stdout } = await mirror.raw(['ls-tree', '-r', '--name-only', ref])
  return stdout
    .toString()
    .split('\n')
    .filter((path) => path.replaceAll('/', '') === target)
}

async function secondCommit(mirror: Mirror): Promise<string> {
  const plan = { message: 'Second\n', author, committer: author, changes: [{ path: 'a', content: 'a' }] }
  return (await buildCommits(mirror, [checkedCommit(plan)], undefined)).commits[0] ?? ''
}

for (const size of [1, 59, 60, 64, 70, 76, 255, 256, 257, 9_999, 10_000, 10_001, 65_537]) {
  test(`among ${size} notes that git wrote, one is replaced where it lies and one is added`, async () => {
    await using fixture = await startMirrorFixture()
    const { mirror } = fixture
    const target = await fixture.repository.head()
    const other = await secondCommit(mirror)
    if (size > 1) await fill(mirror, size - 1, size > 9_000 ? once : flat)
    await noteOfGit(mirror, target, 'of git')
    const [place] = await placesOf(mirror, target)
    const notes = await note(mirror, { [target]: 'of Wadi', [other]: 'new' })
    assert.equal(await shownByGit(mirror, target), 'of Wadi\n')
    assert.deepEqual(await placesOf(mirror, target), [place])
    assert.equal(await shownByGit(mirror, other), 'new\n')
    assert.equal(await readNote(mirror, new TreeCache(), notes, target), 'of Wadi\n')
    assert.equal(
      await readNote(mirror, new TreeCache(), notes, otherCommits(1)[0] ?? ''),
      size > 1 ? 'other' : undefined,
    )
    await noteOfGit(mirror, other, 'of git again')
    assert.equal(await shownByGit(mirror, other), 'of git again\n')
    await note(mirror, { [other]: 'of Wadi again' })
    assert.equal(await shownByGit(mirror, other), 'of Wadi again\n')
    assert.equal(await shownByGit(mirror, target), 'of Wadi\n')
    assert.equal(await countByGit(mirror), size + 1)
  })
}

for (const [layout, place] of Object.entries({ flat, once, twice })) {
  test(`in notes that another program keeps ${layout}, one is replaced wherever it lies`, async () => {
    await using fixture = await startMirrorFixture()
    const { mirror } = fixture
    const target = await fixture.repository.head()
    await fill(mirror, 300, place)
    for (const lies of [flat, once, twice]) {
      await mirror.updateRef(ref, await fill(mirror, 300, place))
      await writeNotes(mirror, { [lies(target)]: 'old\n' }, { mode: '100755' })
      const notes = await note(mirror, { [target]: 'new' })
      assert.equal(await shownByGit(mirror, target), 'new\n')
      assert.equal((await placesOf(mirror, target)).length, 1)
      assert.deepEqual(await findNote(mirror, new TreeCache(), notes, target), { text: 'new\n', count: 1 })
    }
    assert.equal(await countByGit(mirror), 301)
  })
}

test('of two notes on one commit the one that was written last counts, and the next write leaves one', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const target = await fixture.repository.head()
  await fill(mirror, 80, once)
  for (const [first, last] of [
    [flat, once],
    [once, flat],
  ] as const) {
    await writeNotes(mirror, { [first(target)]: 'first\n' })
    const doubled = await writeNotes(mirror, { [last(target)]: 'last\n' })
    await writeNotes(mirror, { [once(otherCommits(1)[0] ?? '')]: 'moved on' })
    assert.deepEqual(await findNote(mirror, new TreeCache(), doubled, target), { text: 'last\n', count: 2 })
    await note(mirror, { [target]: 'one' })
    assert.equal(await shownByGit(mirror, target), 'one\n')
    await mirror.raw([...git, 'notes', '--ref', ref, 'remove', target])
  }
})

test('what is not a note stays in the tree of notes', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const target = await fixture.repository.head()
  const foreign = { 'README.md': 'not notes', 'docs/a': 'a', [target.slice(0, 2)]: 'a file' }
  await writeNotes(mirror, {
    ...foreign,
    ...Object.fromEntries(
      otherCommits(300)
        .filter((sha) => !sha.startsWith(target.slice(0, 2)))
        .map((sha) => [flat(sha), 'x']),
    ),
  })
  const sha = await note(mirror, { [target]: 'new' })
  const tree = await openCommitTree(mirror.objects, new TreeCache(), sha)
  for (const [path, text] of Object.entries(foreign)) assert.equal(String(await tree.read(path, 100)), text)
  assert.equal(await shownByGit(mirror, target), 'new\n')
})

test('notes of one writer alone are divided as git would, so that no directory of them becomes large', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  await note(mirror, Object.fromEntries(otherCommits(70).map((sha) => [sha, 'x'])))
  for (let from = 70; from < 400; from += 30) {
    await note(
      mirror,
      Object.fromEntries(
        otherCommits(from + 30)
          .slice(from)
          .map((sha) => [sha, 'x']),
      ),
    )
  }
  const tree = await openCommitTree(
    mirror.objects,
    new TreeCache(),
    (await mirror.objects.resolve(ref)) ?? '',
  )
  const kinds = (await tree.list('')).filter(({ kind }) => kind === 'file')
  assert.ok(kinds.length <= 130, `${kinds.length} notes lie in the root`)
  assert.equal(await countByGit(mirror), 400)
})

test('a flat tree of many notes is divided once, so that no write costs more for their number', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror } = fixture
  const target = await fixture.repository.head()
  await fill(mirror, 3_000, flat)
  await writeNotes(mirror, { [flat(target)]: 'flat\n', [twice(target)]: 'twice\n', 'a "quoted"': 'kept' })
  const first = await note(mirror, { [target]: 'one' })
  const tree = await openCommitTree(mirror.objects, new TreeCache(), first)
  assert.equal(await tree.size(''), 257)
  assert.equal(await countByGit(mirror), 3_001)
  assert.equal(await shownByGit(mirror, target), 'one\n')
  for (const sha of otherCommits(3_000).filter((_, index) => index % 250 === 0)) {
    assert.deepEqual(await findNote(mirror, new TreeCache(), first, sha), { text: 'other', count: 1 })
  }
  const second = await note(mirror, { [target]: 'two' })
  const { stdout } = await mirror.raw(['diff-tree', '-r', '--name-only', first, second])
  assert.deepEqual(stdout.toString().trim().split('\n').length, 1)
})
