import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  CommitFilesRequestSchema,
  CommitServerService,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import { openRepositories, secretObject } from '@wadi/repositories/repository-fixture.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { contextOf } from './context-fixture.ts'
import { commitFiles } from './commit-files.ts'

/** A git server that only `ci` with the password `right` may use, and a commit-server's RPC. */
async function start() {
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-commit-files-'))).path
  const git = owned.use(await startGitHttpServer({ users: { ci: 'right' } }))
  const { url, directory } = await git.createRepository('dry.git')
  const working = await createRepository(join(scratch, 'working'))
  const base = await working.commitFiles({ 'a.yaml': 'a: 1\n' }, 'First\n')
  await working.git.raw(['push', '--quiet', directory, 'HEAD:refs/heads/main'])
  const opened = owned.use(await openRepositories('write'))
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const handle = commitFiles(contextOf(opened, { maxCommitBytes: 1, log }))
  const call = () => {
    const files = [{ path: 'a.yaml', content: 'a: 2\n' }]
    const request = { repoUrl: url, branch: 'main', baseSha: base, files, message: 'Set a' }
    return handle(
      create(CommitFilesRequestSchema, request),
      handlerContext(CommitServerService.method.commitFiles),
    )
  }
  const putPassword = async (password: string) => {
    const values = { url, username: 'ci', password }
    await opened.repositories.put(secretObject('dry', values, 'repository-write'))
  }
  const head = async () =>
    (await working.git.raw(['ls-remote', directory, 'refs/heads/main'])).split('\t')[0] ?? ''
  const moved = owned.move()
  return { url, base, call, putPassword, head, lines, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

test('files are committed with the stored write credentials, and the event is logged', async () => {
  await using server = await start()
  await server.putPassword('right')
  const { sha } = await server.call()
  assert.equal(await server.head(), sha)
  assert.deepEqual(await server.call(), { sha })
  const logged = server.lines.map((line) => {
    const { branch, outcome, files, msg } = JSON.parse(line) as Record<string, unknown>
    return [msg, branch, outcome, files]
  })
  assert.deepEqual(logged, [
    ['files written', 'main', 'committed', 1],
    ['files written', 'main', 'unchanged', 0],
  ])
})

test('without write credentials, or with wrong ones, the error says what to do', async () => {
  await using server = await start()
  const advice = `; store some with "wadi repo add ${server.url} --write --username NAME", or print the change with --print and open a pull request`
  await assert.rejects(server.call(), {
    name: 'PermissionDeniedError',
    message: `branch main cannot be written: ${server.url} has no write credentials stored${advice}`,
  })
  await server.putPassword('wrong')
  await assert.rejects(server.call(), {
    name: 'PermissionDeniedError',
    message: `branch main cannot be written: ${server.url} refuses the write credentials of Secret dry in namespace argocd${advice}`,
  })
  assert.equal(await server.head(), server.base)
})
