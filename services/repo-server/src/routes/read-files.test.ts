import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { serveRepository } from './served-repository-fixture.ts'

const served = await serveRepository()
after(() => served[Symbol.asyncDispose]())
const { client, repoUrl } = served
const mebibyte = Buffer.alloc(1024 * 1024, 'x')
const sha = await served.commit(
  {
    'a.yaml': 'a: 1\n',
    'apps/b.bin': Buffer.from([0, 255, 10]),
    'full.txt': mebibyte,
    'large.txt': Buffer.alloc(1024 * 1024 + 1, 'x'),
  },
  { 'apps/link': '../a.yaml', 'apps/out': '../../../etc/passwd', linked: 'apps' },
)

async function read(...paths: string[]): Promise<Buffer[]> {
  const { contents } = await client.readFiles({ repoUrl, sha, verification: {}, paths })
  return contents.map((content) => Buffer.from(content))
}

test('files come as their bytes in the order of the request, links inside the repository followed', async () => {
  assert.deepEqual(await read('apps/link', 'apps/b.bin', 'a.yaml', 'linked/b.bin'), [
    Buffer.from('a: 1\n'),
    Buffer.from([0, 255, 10]),
    Buffer.from('a: 1\n'),
    Buffer.from([0, 255, 10]),
  ])
  assert.deepEqual(await read(), [])
})

test('a path without a file is refused by name', async () => {
  await assert.rejects(read('a.yaml', 'none.yaml'), (error) => {
    return error instanceof NotFoundError && error.message === 'there is no file "none.yaml" in the commit'
  })
  await assert.rejects(read('apps'), /"apps" is a directory, not a file/)
  await assert.rejects(read('apps/out'), (error) => {
    return error instanceof InvalidInputError && /"apps\/out".*outside the repository/.test(error.message)
  })
  await assert.rejects(read('../a.yaml'), InvalidInputError)
})

test('a file above 1 MiB and files above 8 MiB together are refused', async () => {
  assert.equal((await read('full.txt'))[0]?.length, mebibyte.length)
  await assert.rejects(read('large.txt'), (error) => {
    return (
      error instanceof ResourceExhaustedError &&
      error.message === 'file "large.txt" has more than 1048576 bytes; make it smaller'
    )
  })
  assert.equal((await read(...Array.from({ length: 8 }, () => 'full.txt'))).length, 8)
  await assert.rejects(read(...Array.from({ length: 9 }, () => 'full.txt')), /ask for fewer at a time/)
  await assert.rejects(read(...Array.from({ length: 1001 }, () => 'a.yaml')), /1001 paths in one request/)
})
