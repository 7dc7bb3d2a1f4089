import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

const ref = 'refs/notes/hydrator.metadata'
const other = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com']

const mesh = await meshOfFile()

/** Adds files to the tree of notes, each a text at a path. */
async function addToNotes({ directory }: RepositoryFixture, files: Record<string, string>): Promise<void> {
  const from = (await runTestGit(directory, ['rev-parse', ref])).trim()
  const lines = [`commit ${ref}`, 'committer O <o@example.com> 1 +0000', 'data 0', `from ${from}`]
  for (const [path, text] of Object.entries(files)) {
    lines.push(`M 100644 inline ${path}`, `data ${Buffer.byteLength(text)}`, text)
  }
  await runTestGit(directory, ['fast-import', '--quiet', '--date-format=raw'], `${lines.join('\n')}\n`)
}

/** Has git keep so many notes beside the head's, as it does where Argo CD writes. */
async function addForeignNotes(repository: RepositoryFixture, count: number): Promise<void> {
  const shas = Array.from({ length: count }, (_, index) => {
    return `${((index * 7) % 256).toString(16).padStart(2, '0')}${String(index).padStart(38, '0')}`
  })
  await addToNotes(repository, Object.fromEntries(shas.map((sha) => [sha, '{}'])))
}

async function noteByGit({ directory }: RepositoryFixture, head: string, text: string): Promise<void> {
  await runTestGit(directory, [...other, 'notes', `--ref=${ref}`, 'add', '-f', '-m', text, head])
}

test('beside notes that git has spread, each head has one note, whatever dry commits come', async () => {
  const { repository, branch } = await mesh.fixture.hydratedOnce('spread')
  await addForeignNotes(repository, 200)
  const head = await repository.head(branch)
  await noteByGit(repository, head, JSON.stringify({ drySha: await repository.dry.head() }))
  for (const text of ['one', 'two']) {
    const drySha = await repository.push({ 'elsewhere.txt': text })
    await mesh.fixture.hydrateTo(drySha, 'spread')
    assert.equal(await repository.head(branch), head)
    assert.equal(await repository.note(branch), `{"drySha":"${drySha}"}\n`)
  }
})

test('notes that promoters cannot read are written again by the next run, with nothing else to do', async () => {
  const { repository, branch } = await mesh.fixture.hydratedOnce('damaged')
  await addForeignNotes(repository, 200)
  const head = await repository.head(branch)
  const drySha = await repository.dry.head()
  const whole = await repository.wholeNote(branch)
  const old = JSON.stringify({ drySha: '1'.repeat(40) })
  for (const text of [`${old}\n\n${whole}`, `\ufeff${whole}`, old, 'LGTM', '{}', '{"drySha":"main"}', '[]']) {
    await noteByGit(repository, head, text)
    await mesh.fixture.hydrate('damaged')
    assert.equal(await repository.wholeNote(branch), whole, text)
  }
  for (const path of [head, `${head.slice(0, 2)}/${head.slice(2)}`]) {
    await addToNotes(repository, { [path]: `${old}\n` })
    await mesh.fixture.hydrate('damaged')
    assert.equal(await repository.wholeNote(branch), whole, path)
  }
  assert.equal(await repository.head(branch), head)
  assert.equal(await repository.note(branch), `{"drySha":"${drySha}"}\n`)
})

test('a ref of notes that names no commit fails the run and is named', async () => {
  const { repository } = await mesh.fixture.hydratedOnce('not-notes')
  const blob = (await runTestGit(repository.directory, ['hash-object', '-w', '--stdin'], 'x')).trim()
  await runTestGit(repository.directory, ['update-ref', ref, blob])
  const status = await mesh.fixture.hydrate('not-notes')
  assert.match(
    status.currentOperation?.message ?? '',
    /refs\/notes\/hydrator\.metadata names .* not a commit of notes/,
  )
  await runTestGit(repository.directory, ['update-ref', '-d', ref])
  assert.equal((await mesh.fixture.hydrate('not-notes')).currentOperation?.phase, 'Hydrated')
})
