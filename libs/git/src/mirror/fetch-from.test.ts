import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { InvalidInputError, NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { mirrorRef } from './mirror-ref.ts'
import { openTestMirror } from './mirror-fixture.ts'

const ada = { username: 'ada', password: 'her password' }
const refspec = `+refs/heads/main:${mirrorRef('fork')}`

/** A server with a repository, and with a fork of one commit. */
async function startForked(options: Parameters<typeof startGitHttpServer>[0] = {}) {
  await using owned = new AsyncDisposableStack()
  const server = owned.use(await startGitHttpServer(options))
  const { url } = await server.createRepository('acme/shop.git')
  const served = await server.createRepository('eve/shop.git')
  const objects = path.join(served.directory, 'objects')
  const copy = await createRepository(path.join(server.root, 'copy'), { objects })
  const sha = await copy.commitFiles({ a: '1' }, 'Change of a fork\n')
  await runTestGit(served.directory, ['update-ref', 'refs/heads/main', sha])
  const mirror = owned.use(await openTestMirror(path.join(server.root, 'mirror'), url, ada))
  const moved = owned.move()
  return { mirror, sha, forkUrl: served.url, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

test('a fork that its host gives to anybody is fetched without credentials', async () => {
  const users: (string | undefined)[] = []
  await using forked = await startForked({
    onRequest: ({ user }) => {
      users.push(user)
      return undefined
    },
  })
  const { mirror, sha, forkUrl } = forked
  await mirror.fetchFrom(forkUrl, [refspec])
  assert.equal(await mirror.objects.resolve(mirrorRef('fork')), sha)
  assert.deepEqual(new Set(users), new Set([undefined]))
})

test('a fork that its host does not give to anybody is fetched with the credentials of the repository', async () => {
  await using forked = await startForked({ users: { ada: ada.password } })
  const { mirror, sha, forkUrl } = forked
  await mirror.fetchFrom(forkUrl, [refspec])
  assert.equal(await mirror.hasObject(sha), true)
})

test('a fork of another host is not asked, and one that is not there is an error', async () => {
  await using forked = await startForked()
  const { mirror, forkUrl } = forked
  const elsewhere = [forkUrl.replace('127.0.0.1', 'localhost'), '/etc', 'git@127.0.0.1:eve/shop.git']
  for (const url of elsewhere) await assert.rejects(mirror.fetchFrom(url, [refspec]), InvalidInputError)
  await assert.rejects(mirror.fetchFrom(forkUrl.replace('eve', 'mallory'), [refspec]), NotFoundError)
  await using other = await startForked({ users: { ada: 'another password' } })
  await assert.rejects(other.mirror.fetchFrom(other.forkUrl, [refspec]), PermissionDeniedError)
})
