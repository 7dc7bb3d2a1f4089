import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FailedPreconditionError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { serveRepository } from './served-repository-fixture.ts'

const served = await serveRepository('api-gateway')
after(() => served[Symbol.asyncDispose]())
const { client, repoUrl } = served

async function restored(sha: string, restoredSha: string, directory: string) {
  const { files } = await client.readRestoredFiles({ repoUrl, sha, restoredSha, directory, verification: {} })
  return files.map(({ path, before, after: shall }) => [path, before, shall])
}

const first = await served.commit({
  'web/values.yaml': 'replicas: 1\n',
  'web/gone.yaml': 'a: 1\n',
  'api/values.yaml': 'replicas: 1\n',
  'binary/a.bin': Buffer.from([0, 255, 10]),
  'empty/a.yaml': '',
  'large/a.yaml': 'x'.repeat(1024 * 1024 + 1),
})
await served.repository.git.raw(['rm', '--quiet', 'web/gone.yaml'])
const second = await served.commit(
  {
    'web/values.yaml': 'replicas: 2\n',
    'web/sub/new.yaml': 'b: 1\n',
    'api/values.yaml': 'replicas: 2\n',
    'binary/a.bin': Buffer.from([1, 255, 10]),
    'empty/a.yaml': 'a: 1\n',
    'large/a.yaml': 'a: 1\n',
  },
  { 'api/link': 'values.yaml' },
)

test('the files of a directory are as they were at a commit in the history; others are no part of it', async () => {
  assert.deepEqual(await restored(second, first, 'web'), [
    ['web/gone.yaml', '', 'a: 1\n'],
    ['web/sub/new.yaml', 'b: 1\n', ''],
    ['web/values.yaml', 'replicas: 2\n', 'replicas: 1\n'],
  ])
  assert.deepEqual(await restored(second, second, 'web'), [])
  assert.deepEqual(await restored(second, first, 'none'), [])
})

test('what a commit of text files cannot write is refused by name', async () => {
  const refused: [string, RegExp][] = [
    ['api', /api\/link is a symlink, not a plain file/],
    ['binary', /binary\/a\.bin is not a text file/],
    ['empty', /empty\/a\.yaml was an empty file/],
  ]
  for (const [directory, message] of refused)
    await assert.rejects(restored(second, first, directory), (error) => {
      return error instanceof FailedPreconditionError && message.test(error.message)
    })
  await assert.rejects(restored(second, first, 'large'), ResourceExhaustedError)
  await assert.rejects(restored(second, first, '../web'), /outside the repository/)
})

test('a commit that is not in the history is refused, as is one that is not there', async () => {
  await assert.rejects(restored(first, second, 'web'), /is not in the history of/)
  await assert.rejects(restored(second, 'f'.repeat(40), 'web'), NotFoundError)
})
