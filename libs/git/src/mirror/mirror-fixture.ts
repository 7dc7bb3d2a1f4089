import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRepository } from '@wadi/testing/git-repository.ts'
import type { TestRepository } from '@wadi/testing/git-repository.ts'
import type { GitCredentials } from '../remote/credentials.ts'
import type { HttpClient } from '../smart-http/http-client.ts'
import { openMirror } from './mirror.ts'
import type { Mirror } from './mirror.ts'
import type { GitFetch } from './parts.ts'
import { openCommitTree, TreeCache } from '../objects/commit-tree.ts'

/** A repository on disk, a mirror of it, and the directory that holds both. */
type MirrorFixture = AsyncDisposable & {
  scratch: string
  repository: TestRepository
  mirror: Mirror
  /** Fetches all branches of the repository. */
  update(): Promise<void>
}

/** For tests: a repository with one commit of the given files, and a mirror that fetched it. */
export async function startMirrorFixture(
  files: Record<string, string | Buffer> = { 'README.md': 'dry\n' },
): Promise<MirrorFixture> {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-git-test-'))).path
  const repository = await createRepository(path.join(scratch, 'repository'))
  await repository.commitFiles(files, 'First commit\n')
  const mirror = stack.use(await openTestMirror(path.join(scratch, 'mirror'), repository.directory))
  const update = (): Promise<void> => mirror.fetch(['+refs/heads/*:refs/heads/*'])
  await update()
  const owned = stack.move()
  return { scratch, repository, mirror, update, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** For tests: a mirror that may use files and http on this machine. */
export function openTestMirror(
  directory: string,
  url: string,
  credentials?: GitCredentials,
  httpClient?: HttpClient,
  gitFetch?: GitFetch,
): Promise<Mirror> {
  return openMirror({
    directory,
    url,
    policy: { allowFile: true, allowPlainHttp: 'loopback' },
    credentials: async () => credentials,
    ...(httpClient !== undefined && { httpClient }),
    ...(gitFetch !== undefined && { gitFetch }),
  })
}

/** For tests: fetches everything that a mirror which may lack objects left out, and fails if anything that a ref leads to is missing. */
export async function assertWhole(mirror: Mirror): Promise<void> {
  const lines = async (...args: string[]): Promise<string[]> =>
    (await mirror.raw(args)).stdout.toString().split('\n').filter(Boolean)
  if (mirror.isPart) {
    const heads = await lines('for-each-ref', '--format=%(objectname)')
    await mirror.completeHistory(heads)
    for (const commit of await lines('rev-list', '--all')) {
      if (!(await mirror.hasObject(commit))) await mirror.fetch([commit])
      await (await openCommitTree(mirror.objects, new TreeCache(), commit)).ready([''])
    }
  }
  await mirror.raw(['fsck', '--full', '--connectivity-only', '--no-dangling'])
}
