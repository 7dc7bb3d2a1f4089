import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { buildCommit } from '../commit/build-commit.ts'
import { pushRefs } from '../commit/push.ts'
import { httpClients } from '../smart-http/http-fixture.ts'
import { openTestMirror } from './mirror-fixture.ts'

/** Makes a bare repository with SHA-256 and, unless it must be empty, a commit on `main`. */
async function makeRepository(directory: string, isEmpty: boolean): Promise<void> {
  await mkdir(directory)
  await runTestGit(directory, [
    'init',
    '--quiet',
    '--bare',
    '--object-format=sha256',
    '--initial-branch=main',
  ])
  await runTestGit(directory, ['config', 'http.receivepack', 'true'])
  await runTestGit(directory, ['config', 'uploadpack.allowFilter', 'true'])
  if (isEmpty) return
  const tree = (await runTestGit(directory, ['write-tree'])).trim()
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  const commit = (await runTestGit(directory, [...identity, 'commit-tree', '-m', 'First', tree])).trim()
  await runTestGit(directory, ['update-ref', 'refs/heads/main', commit])
}

const unsupported = (error: unknown): boolean =>
  error instanceof FailedPreconditionError &&
  !error.retryable &&
  /sha256\.git is a SHA-256 repository, which is not supported: /.test(error.message)

for (const isEmpty of [false, true]) {
  for (const client of [...httpClients, 'file'] as const) {
    const what = `${isEmpty ? 'an empty' : 'a'} SHA-256 repository by ${client}`
    test(`listing, fetching from and pushing to ${what} says that it is not supported`, async () => {
      await using server = await startGitHttpServer()
      await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-sha256-'))
      const directory = path.join(server.root, 'sha256.git')
      await makeRepository(directory, isEmpty)
      const url = client === 'file' ? directory : `${server.url}/sha256.git`
      const mirrorDirectory = path.join(scratch.path, 'mirror')
      await using mirror = await openTestMirror(
        mirrorDirectory,
        url,
        undefined,
        client === 'file' ? 'git' : client,
        'needed',
      )
      // An empty repository has no object whose name the program git could show.
      if (!isEmpty || client === 'built-in') await assert.rejects(mirror.listRemote(), unsupported)
      if (!isEmpty) await assert.rejects(mirror.fetch(['+refs/heads/*:refs/heads/*']), unsupported)
      const person = { name: 'Test', email: 'test@example.com', date: new Date(0) }
      const source = await buildCommit(mirror, {
        parent: undefined,
        message: 'First\n',
        author: person,
        committer: person,
        changes: [{ path: 'a.yaml', content: 'a: 1\n' }],
      })
      await assert.rejects(
        pushRefs(mirror, [{ source, ref: 'refs/heads/new', expected: undefined }], { atomic: false }),
        unsupported,
      )
    })
  }
}
