import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { serveRepository } from './served-repository-fixture.ts'

const served = await serveRepository()
after(() => served[Symbol.asyncDispose]())
const { client, repoUrl } = served
const sha = await served.commit(
  {
    'root.json': '{}',
    'apps/a/config.json': '{}',
    'apps/b/config.json': '{}',
    'apps/b/deep/config.json': '{}',
    'apps/.secret/config.json': '{}',
    'apps/.secret/below/config.json': '{}',
    'apps/.dot.json': '{}',
    'apps/a[1]/x.json': '{}',
    'zeta/größe/a.json': '{}',
    'zeta/🌵/a.json': '{}',
    'zeta/￥/a.json': '{}',
  },
  { 'apps/link': 'a', 'link.json': 'root.json' },
)

interface Asked {
  excludes?: string[]
  hidden?: boolean
}

async function list(kind: string, includes: string[], asked: Asked = {}): Promise<string[]> {
  return (await client.listPaths({ repoUrl, sha, verification: {}, kind, includes, ...asked })).paths
}

test('directories match name by name, hidden ones and what is below them are left out', async () => {
  assert.deepEqual(await list('directories', ['*']), ['apps', 'zeta'])
  assert.deepEqual(await list('directories', ['apps/*']), ['apps/a', 'apps/a[1]', 'apps/b'])
  assert.deepEqual(await list('directories', ['apps/.*', 'apps/.secret']), [])
  assert.deepEqual(await list('directories', ['apps/.*', 'apps/*/below'], { hidden: true }), [
    'apps/.secret',
    'apps/.secret/below',
  ])
})

test('two stars are one level in patterns of directories, as in Argo CD, and any depth in those of files', async () => {
  assert.deepEqual(await list('directories', ['apps/**']), await list('directories', ['apps/*']))
  assert.deepEqual(await list('directories', ['**/deep']), [])
  assert.deepEqual(await list('directories', ['**/b/**']), ['apps/b/deep'])
  assert.deepEqual(await list('directories', ['apps/*', 'apps/b/deep'], { excludes: ['apps/**'] }), [
    'apps/b/deep',
  ])
  assert.deepEqual(await list('files', ['apps/b/**']), ['apps/b/config.json', 'apps/b/deep/config.json'])
})

test('an exclude wins over every include, whatever their order', async () => {
  const excludes = ['apps/b', '*/a']
  assert.deepEqual(await list('directories', ['apps/*', 'apps/b'], { excludes }), ['apps/a[1]'])
  assert.deepEqual(await list('files', ['**/config.json'], { excludes: ['apps/b/**'] }), [
    'apps/a/config.json',
  ])
  assert.deepEqual(await list('files', [], { excludes }), [])
})

test('files are found in every directory, links among them, in the order of their bytes', async () => {
  assert.deepEqual(await list('files', ['**/config.json', '*.json', 'apps/*'], { hidden: true }), [
    'apps/.dot.json',
    'apps/.secret/below/config.json',
    'apps/.secret/config.json',
    'apps/a/config.json',
    'apps/b/config.json',
    'apps/b/deep/config.json',
    'apps/link',
    'link.json',
    'root.json',
  ])
  assert.deepEqual(await list('directories', ['zeta/*']), ['zeta/größe', 'zeta/￥', 'zeta/🌵'])
})

test('equal trees have one id, and a commit that does not exist has none', async () => {
  const again = await served.commit({})
  const changed = await served.commit({ 'root.json': '{ }' })
  const idOf = async (commit: string) =>
    (await client.listPaths({ repoUrl, sha: commit, verification: {}, kind: 'files' })).treeId
  assert.notEqual(again, sha)
  assert.match(await idOf(sha), /^[0-9a-f]{40}$/)
  assert.equal(await idOf(again), await idOf(sha))
  assert.notEqual(await idOf(changed), await idOf(sha))
  await assert.rejects(idOf('0'.repeat(40)), NotFoundError)
})

test('an invalid request is refused', async () => {
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof InvalidInputError && message.test(error.message)
  await assert.rejects(list('links', ['*']), refused(/kind is "directories" or "files", not "links"/))
  await assert.rejects(list('files', ['a/[']), refused(/pattern "a\/\[" has a "\[" without "\]"/))
  const many = Array.from({ length: 101 }, () => '*')
  await assert.rejects(list('files', many), refused(/includes has 101 patterns; at most 100/))
})
