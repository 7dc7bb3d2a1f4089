import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { PackedContent } from '@wadi/git/commit/packed-content.ts'
import { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { openTestMirror } from '@wadi/git/mirror/mirror-fixture.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import {
  type CommitManifests,
  CommitManifestsSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { createRepository, type TestRepository } from '@wadi/testing/git-repository.ts'
import {
  type GitHttpRequest,
  type ServedRepositoryOptions,
  startGitHttpServer,
} from '@wadi/testing/git-http-server.ts'
import { hydratedFiles, notesRef } from '@wadi/hydration/hydrated-files.ts'
import { type BranchState, readBranchState } from '../branch/branch-state.ts'
import { RepositoryWriter } from '../push/repository-writer.ts'
import type { CommitRequest, HydratedDirectory } from './commit-request.ts'
import { type CommitOutcome, writeCommit } from './write-commit.ts'

/** A dry commit's id: 40 times one digit. */
export function drySha(digit: number): string {
  return String(digit).repeat(40)
}

/** A directory with one ConfigMap of the given value. */
export function directory(directoryPath: string, value: string): HydratedDirectory {
  return {
    path: directoryPath,
    manifests: [{ path: hydratedFiles.manifest, content: new PackedContent(`value: ${value}\n`) }],
    readme: new PackedContent(`README of ${directoryPath}\n`),
    metadata: new PackedContent(`{"value":"${value}"}\n`),
    files: [],
  }
}

/** The same with files, by their paths in the folder `files`, and a record that names them. */
export function directoryWithFiles(
  directoryPath: string,
  value: string,
  contents: Record<string, string>,
): HydratedDirectory {
  const files = Object.entries(contents).map(([name, text]) => ({
    path: name,
    content: new PackedContent(text),
  }))
  const metadata = new PackedContent(JSON.stringify({ value, files: files.map((file) => file.path) }))
  return { ...directory(directoryPath, value), metadata, files }
}

/** What a test changes of a request. */
export interface RequestParts {
  base?: BranchState | undefined
  dry: number
  branch?: string
  syncBranch?: string
  directories?: HydratedDirectory[]
  removedPaths?: string[]
  header?: Partial<CommitManifests>
}

/** A request on top of a state. */
export function commitRequest(parts: RequestParts): CommitRequest {
  const { base, dry, branch = 'env/dev', syncBranch = '', directories = [], removedPaths = [] } = parts
  const header = create(CommitManifestsSchema, {
    repoUrl: 'https://git.example.com/hydrated.git',
    targetBranch: branch,
    syncBranch,
    drySha: drySha(dry),
    commitMessage: 'change the dry side',
    metadata: `{"drySha":"${drySha(dry)}"}\n`,
    base: { headSha: base?.head ?? '', drySha: base?.drySha ?? '' },
  })
  return { header: Object.assign(header, parts.header), directories, removedPaths }
}

/** A hydrated repository on a git server, a mirror of it and a working copy of somebody else. */
export class HydratedRepositoryFixture implements AsyncDisposable {
  readonly url: string
  /** The bare repository of the server. */
  readonly served: string
  readonly mirror: Mirror
  readonly trees = new TreeCache()
  /** Clone of another writer; its remote is `origin`. */
  readonly foreign: TestRepository
  readonly signal = new AbortController().signal
  #folder: string
  #owned: AsyncDisposableStack

  private constructor(
    { url, directory: served }: { url: string; directory: string },
    folder: string,
    mirror: Mirror,
    foreign: TestRepository,
    owned: AsyncDisposableStack,
  ) {
    this.url = url
    this.served = served
    this.#folder = folder
    this.mirror = mirror
    this.foreign = foreign
    this.#owned = owned
  }

  /** @param onRequest waited for before the git server answers a request */
  static async start(
    options: ServedRepositoryOptions & { onRequest?: (request: GitHttpRequest) => Promise<void> } = {},
  ): Promise<HydratedRepositoryFixture> {
    await using stack = new AsyncDisposableStack()
    const folder = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-hydrated-'))).path
    const { onRequest, ...repositoryOptions } = options
    const server = stack.use(
      await startGitHttpServer({
        onRequest: async (request) => {
          await onRequest?.(request)
          return undefined
        },
      }),
    )
    const repository = await server.createRepository('hydrated.git', repositoryOptions)
    const mirror = stack.use(await openTestMirror(path.join(folder, 'mirror'), repository.url))
    const foreign = await createRepository(path.join(folder, 'foreign'))
    // The writer's own way to the repository, as what goes over HTTP costs twice the programs.
    await foreign.git.addRemote('origin', repository.directory)
    return new HydratedRepositoryFixture(repository, folder, mirror, foreign, stack.move())
  }

  async state(branch = 'env/dev', syncBranch = ''): Promise<BranchState> {
    return readBranchState(this.mirror, this.trees, { branch, syncBranch }, this.signal)
  }

  /** Writes as a process does that has just started, or that last saw the branch in the state `known`. */
  async write(parts: RequestParts, known?: BranchState, mirror = this.mirror): Promise<CommitOutcome> {
    const writer = new RepositoryWriter(mirror, this.trees)
    if (known) {
      const refs = { [`refs/heads/${parts.branch ?? 'env/dev'}`]: known.head, [notesRef]: known.notes }
      const entries = Object.entries(refs).flatMap(([ref, sha]) =>
        sha === undefined ? [] : [[ref, sha] as const],
      )
      writer.known.listed(new Map(entries), performance.now())
    }
    return writeCommit(writer, commitRequest(parts), this.signal)
  }

  /** A mirror of a second process. */
  async secondMirror(): Promise<Mirror> {
    return this.#owned.use(await openTestMirror(path.join(this.#folder, 'second'), this.url))
  }

  /** Pushes a commit of somebody else on top of a branch, without a note; a new branch starts empty. Undefined removes a file. */
  async pushForeign(branch: string, files: Record<string, string | undefined>): Promise<string> {
    const { git } = this.foreign
    await git.fetch('origin')
    const head = (await this.refs())[`refs/heads/${branch}`]
    if (head === undefined) await git.raw(['checkout', '--quiet', '--orphan', branch])
    else await git.raw(['checkout', '--quiet', '-B', branch, head])
    const sha = await this.foreign.commitFiles(files, 'By hand\n')
    await git.raw(['push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`])
    return sha
  }

  /** The refs of the server without HEAD. */
  async refs(): Promise<Record<string, string>> {
    const { refs } = await this.mirror.listRemote()
    return Object.fromEntries([...refs].filter(([ref]) => ref !== 'HEAD'))
  }

  /** Path and content of all files of a commit. */
  async files(sha: string): Promise<Record<string, string>> {
    const files: Record<string, string> = {}
    for (const file of await this.#lines(['ls-tree', '-r', '--name-only', sha])) {
      files[file] = (await this.mirror.raw(['cat-file', 'blob', `${sha}:${file}`])).stdout.toString()
    }
    return files
  }

  /** The dry commit in the note of a commit, as the server has it. */
  async noteOf(sha: string): Promise<string | undefined> {
    await this.mirror.fetch([`+${notesRef}:refs/notes/check`])
    const { stdout, exitCode } = await this.mirror.raw(['notes', '--ref', 'refs/notes/check', 'show', sha], {
      acceptExitCodes: [0, 1],
    })
    return exitCode === 0 ? stdout.toString() : undefined
  }

  /** The subjects of a commit and its ancestors, the newest first. */
  async subjects(sha: string): Promise<string[]> {
    return this.#lines(['log', '--format=%s', sha])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }

  async #lines(args: string[]): Promise<string[]> {
    return (await this.mirror.raw(args)).stdout.toString().split('\n').filter(Boolean)
  }
}
