import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import type {
  GitHttpRequest,
  GitHttpServer,
  InjectedAnswer,
  ServedRepositoryOptions,
} from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import type { TestRepository } from '@wadi/testing/git-repository.ts'
import { openCommitTree, TreeCache } from '../objects/commit-tree.ts'
import type { CommitTree } from '../objects/commit-tree.ts'
import { openTestMirror } from './mirror-fixture.ts'
import type { Mirror } from './mirror.ts'
import type { GitFetch } from './parts.ts'

/** Fetches the branch `main` of the test bed. */
export const main = '+refs/heads/main:refs/wadi/single/main'

type Injected = number | InjectedAnswer | undefined

type Bed = AsyncDisposable & {
  server: GitHttpServer
  source: TestRepository
  mirror: Mirror
  url: string
  served: string
  /** Answers the next requests in the place of the server, if it gives an answer. */
  answer: (injected: Injected | ((request: GitHttpRequest) => Injected | Promise<Injected>)) => void
  /** Pushes all branches and tags by force. */
  push(): Promise<void>
  reopen(gitFetch?: GitFetch): Promise<Mirror>
}

/** For tests: a repository with some history behind a server, and a mirror of it that fetched nothing yet. */
export async function startPartBed(options: ServedRepositoryOptions = {}): Promise<Bed> {
  await using stack = new AsyncDisposableStack()
  let injected: Parameters<Bed['answer']>[0]
  const onRequest = (request: GitHttpRequest): Injected | Promise<Injected> =>
    typeof injected === 'function' ? injected(request) : injected
  const server = stack.use(await startGitHttpServer({ onRequest }))
  const { url, directory: served } = await server.createRepository('a.git', options)
  const scratch = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-part-'))).path
  const source = await createRepository(path.join(scratch, 'source'))
  const copy = path.join(scratch, 'mirror')
  const open = (gitFetch: GitFetch = 'needed'): Promise<Mirror> =>
    openTestMirror(copy, url, undefined, 'built-in', gitFetch)
  const mirror = stack.use(await open())
  const push = async (): Promise<void> => {
    await source.git.raw(['push', '-q', '--force', served, 'refs/heads/*:refs/heads/*', '--tags'])
  }
  for (const version of ['1', '2', '3']) {
    const files = {
      'app/a.yaml': `a: ${version}\n`,
      'app/b.yaml': `b: ${version}\n`,
      'other/c.yaml': `c: ${version}\n`,
    }
    await source.commitFiles(files, `Version ${version}\n`)
  }
  await push()
  const owned = stack.move()
  return {
    server,
    source,
    mirror,
    url,
    served,
    push,
    answer: (next) => (injected = next),
    reopen: async (gitFetch) => {
      await mirror[Symbol.asyncDispose]()
      return owned.use(await open(gitFetch))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** For tests: the files of a commit of a mirror, without what was read before. */
export async function treeOf(mirror: Mirror, sha: string): Promise<CommitTree> {
  return openCommitTree(mirror.objects, new TreeCache(), sha)
}

/** For tests: the kinds of the objects that a mirror has, sorted. */
export async function kinds(mirror: Mirror): Promise<string[]> {
  const args = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype)']
  return (await mirror.raw(args)).stdout.toString().split('\n').filter(Boolean).toSorted()
}
