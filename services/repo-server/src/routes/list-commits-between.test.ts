import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { serveRepository } from './served-repository-fixture.ts'

const served = await serveRepository('api-gateway')
after(() => served[Symbol.asyncDispose]())
const { client, repository, repoUrl } = served

async function commit(subject: string): Promise<string> {
  await repository.git.raw(['commit', '--quiet', '--allow-empty', '-m', `${subject}\n\nThe reason.`])
  return repository.head()
}

async function list(shas: string[], limit = 100) {
  const { commits, hasMore } = await client.listCommitsBetween({ repoUrl, shas, limit })
  return { subjects: commits.map(({ subject }) => subject), commits, hasMore }
}

test('the commits from the newest to the oldest of several are listed with what they say of themselves', async () => {
  const shas = []
  for (const subject of ['One', 'Two', 'Three', 'Four', 'x'.repeat(400)]) shas.push(await commit(subject))
  const [, two = '', three = '', four = '', long = ''] = shas
  const found = await list([two, four, two])
  assert.deepEqual([found.subjects, found.hasMore], [['Four', 'Three', 'Two'], false])
  assert.partialDeepStrictEqual(found.commits[1], { sha: three, body: '', parents: [two] })
  assert.match(found.commits[1]?.author ?? '', /^.+ <.+>$/)
  assert.deepEqual(found.commits[2]?.parents, [])
  assert.deepEqual((await list([two])).subjects, ['Two'])
  assert.deepEqual((await list([long])).subjects, ['x'.repeat(300)])
})

test('of more commits than the limit the newest are listed, and those that were asked for', async () => {
  const first = await commit('First')
  for (const subject of ['Second', 'Third', 'Fourth']) await commit(subject)
  const found = await list([first, await repository.head()], 2)
  assert.deepEqual([found.subjects, found.hasMore], [['Fourth', 'Third', 'First'], true])
  assert.deepEqual(found.commits[1]?.parents, [first])
  const gone = 'e'.repeat(40)
  assert.deepEqual((await list([first, gone])).subjects, ['First'])
  await assert.rejects(list([first], 1_001), InvalidInputError)
  await assert.rejects(list(['--all']), InvalidInputError)
  await assert.rejects(list(Array.from({ length: 501 }, () => first)), InvalidInputError)
})

test('what was merged is one commit, and the commits of two branches are listed up to where they part', async () => {
  const parted = await commit('Parted')
  await repository.git.raw(['checkout', '--quiet', '-b', 'fix'])
  const fix = await commit('Fix')
  await repository.git.raw(['checkout', '--quiet', 'main'])
  const main = await commit('Main')
  const both = await list([fix, main])
  assert.deepEqual(both.subjects.toSorted(), ['Fix', 'Main'])
  await repository.git.raw(['merge', '--quiet', '--no-ff', '-m', 'Merge fix', 'fix'])
  const merge = await repository.head()
  const merged = await list([parted, merge])
  assert.deepEqual(merged.subjects, ['Merge fix', 'Main', 'Parted'])
  assert.deepEqual(merged.commits[0]?.parents, [main])
  assert.deepEqual((await list([parted, fix, merge])).commits[0]?.parents, [main, fix])
})
