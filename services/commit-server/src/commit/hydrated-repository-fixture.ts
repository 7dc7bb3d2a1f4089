import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import { openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { openTestMirror } from '@wadi/git/mirror/mirror-fixture.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import {
  type CommitManifests,
  CommitManifestsSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readRef } from '@wadi/testing/read-ref.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import {
  type GitHttpRequest,
  type ServedRepositoryOptions,
  startGitHttpServer,
} from '@wadi/testing/git-http-server.ts'
import { hydratedFiles, notesRef } from '@wadi/hydration/hydrated-files.ts'
import { type BranchState, readBranchState } from '../branch/branch-state.ts'
import { RepositoryWriter } from '../push/repository-writer.ts'
import type { CommitRequest, HydratedDirectory } from './commit-request.ts'
import type { CommitSigning } from './commit-signing.ts'
import { type RecordContent, wantedRecord } from './record-content.ts'
import { type CommitOutcome, writeCommit } from './write-commit.ts'

/** A dry commit's id: 40 times one digit. */
export function drySha(digit: number): string {
  return String(digit).repeat(40)
}

/** A `hydrator.metadata` that waits for its commit. */
export function recordContent(text: string): RecordContent {
  return { content: new CommitContent(text), record: wantedRecord(text) }
}

/** A directory with one ConfigMap of the given value. */
export function directory(directoryPath: string, value: string): HydratedDirectory {
  return {
    path: directoryPath,
    manifests: [{ path: hydratedFiles.manifest, content: new CommitContent(`value: ${value}\n`) }],
    readme: new CommitContent(`README of ${directoryPath}\n`),
    metadata: recordContent(`{"value":"${value}"}\n`),
    files: [],
    gateRuns: [],
  }
}

/** The same with files, by their paths in the directory `files`, and a record that names them. */
export function directoryWithFiles(
  directoryPath: string,
  value: string,
  contents: Record<string, string>,
): HydratedDirectory {
  const files = Object.entries(contents).map(([name, text]) => ({
    path: name,
    content: new CommitContent(text),
  }))
  const metadata = recordContent(JSON.stringify({ value, files: files.map((file) => file.path) }))
  return { ...directory(directoryPath, value), metadata, files }
}

/** The parts of a request that a test changes. */
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

/** A hydrated repository on a git server, and a mirror of it. */
export class HydratedRepositoryFixture implements AsyncDisposable {
  readonly url: string
  /** The bare repository of the server. */
  readonly served: string
  readonly mirror: Mirror
  readonly trees = new TreeCache()
  readonly signal = new AbortController().signal
  #directory: string
  #owned: AsyncDisposableStack

  private constructor(
    { url, directory: served }: { url: string; directory: string },
    scratch: string,
    mirror: Mirror,
    owned: AsyncDisposableStack,
  ) {
    this.url = url
    this.served = served
    this.#directory = scratch
    this.mirror = mirror
    this.#owned = owned
  }

  /** @param onRequest waited for before the git server answers a request, and answers it if it returns a status */
  static async start(
    options: ServedRepositoryOptions & {
      onRequest?: (request: GitHttpRequest) => Promise<number | void>
    } = {},
  ): Promise<HydratedRepositoryFixture> {
    await using stack = new AsyncDisposableStack()
    const scratch = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-hydrated-'))).path
    const { onRequest, ...repositoryOptions } = options
    const server = stack.use(
      await startGitHttpServer({
        onRequest: async (request) => (await onRequest?.(request)) ?? undefined,
      }),
    )
    const repository = await server.createRepository('hydrated.git', repositoryOptions)
    const mirror = stack.use(await openMirrorOf(path.join(scratch, 'mirror'), repository.url))
    return new HydratedRepositoryFixture(repository, scratch, mirror, stack.move())
  }

  async state(branch = 'env/dev', syncBranch = ''): Promise<BranchState> {
    return readBranchState(this.mirror, this.trees, { branch, syncBranch }, this.signal)
  }

  /** Writes as a process does that has just started, or that last saw the branch in the state `known`. */
  async write(
    parts: RequestParts,
    known?: BranchState,
    mirror = this.mirror,
    signing?: CommitSigning,
  ): Promise<CommitOutcome> {
    const writer = new RepositoryWriter(mirror, this.trees)
    if (known) {
      const refs = { [`refs/heads/${parts.branch ?? 'env/dev'}`]: known.head, [notesRef]: known.notes }
      const entries = Object.entries(refs).flatMap(([ref, sha]) =>
        sha === undefined ? [] : [[ref, sha] as const],
      )
      writer.known.listed(new Map(entries), performance.now())
    }
    return writeCommit(writer, commitRequest(parts), signing, this.signal)
  }

  /** A mirror of a second process. */
  async secondMirror(): Promise<Mirror> {
    return this.#owned.use(await openMirrorOf(path.join(this.#directory, 'second'), this.url))
  }

  /** Runs git in the repository of the server, for changes of somebody else. */
  async git(...args: string[]): Promise<string> {
    return runTestGit(this.served, args)
  }

  /**
   * Adds a commit of somebody else on top of a branch, without a note; a new branch starts empty. Undefined removes a file. It is written
   * into the repository of the server by one program, where a working copy and a push take seven.
   * @param modes of files that are not plain ones: `120000` is a link to its content, `100755` a program
   */
  async pushForeign(
    branch: string,
    files: Record<string, string | undefined>,
    modes: Record<string, '100755' | '120000'> = {},
  ): Promise<string> {
    const ref = `refs/heads/${branch}`
    const head = await readRef(this.served, ref)
    const time = `${Math.floor(Date.now() / 1_000)} +0000`
    const lines = Object.entries(files).map(([name, content]) =>
      content === undefined ? `D ${name}` : `M ${modes[name] ?? '100644'} inline ${name}\n${dataOf(content)}`,
    )
    const commit = [
      `commit ${ref}`,
      `author Dry Author <author@example.com> ${time}`,
      `committer Test <test@example.com> ${time}`,
      dataOf('By hand\n'),
      ...(head === undefined ? [] : [`from ${head}`]),
      ...lines,
      '',
    ]
    await this.fastImport(commit.join('\n'))
    const sha = await readRef(this.served, ref)
    if (sha === undefined) throw new Error(`${ref} was not written`)
    return sha
  }

  /** Writes commits into the repository of the server. */
  async fastImport(commands: string): Promise<void> {
    // Without a limit, a second program would take the pack apart.
    const flags = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet']
    await runTestGit(this.served, flags, commands)
  }

  /** The refs of the server without HEAD, in their order. */
  async refs(): Promise<Record<string, string>> {
    const text = await this.git('for-each-ref', '--format=%(refname) %(objectname)')
    return Object.fromEntries(linesOf(text).map((line) => line.split(' ')))
  }

  /** Path and content of all files of a commit. */
  async files(sha: string): Promise<Record<string, string>> {
    const names = linesOf(await this.git('ls-tree', '-r', '--name-only', sha))
    const tree = await openCommitTree(this.mirror.objects, this.trees, sha)
    const contents = await Promise.all(names.map((name) => tree.read(name, 1_000_000)))
    return Object.fromEntries(names.map((name, index) => [name, contents[index]?.toString() ?? '']))
  }

  /** The dry commit in the note of a commit, as the server has it. */
  async noteOf(sha: string): Promise<string | undefined> {
    const flags = ['--no-walk', `--notes=${notesRef}`, '--format=%N%x00']
    const [note = ''] = (await this.git('log', ...flags, sha)).split('\0')
    return note === '' ? undefined : note
  }

  /** The subjects of a commit and its ancestors, the newest first. */
  async subjects(sha: string): Promise<string[]> {
    return linesOf(await this.git('log', '--format=%s', sha))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }
}

/** A repository whose next push waits for what a test does in between. */
export async function startRacing(
  options: ServedRepositoryOptions = {},
): Promise<{ fixture: HydratedRepositoryFixture; beforeNextPush: (act: () => Promise<unknown>) => void }> {
  let next: (() => Promise<unknown>) | undefined
  const onRequest = async ({ method, service }: { method: string; service: string }) => {
    if (method !== 'POST' || service !== 'git-receive-pack') return
    const act = next
    next = undefined
    await act?.()
  }
  const fixture = await HydratedRepositoryFixture.start({ ...options, onRequest })
  const beforeNextPush = (act: () => Promise<unknown>): void => {
    next = act
  }
  return { fixture, beforeNextPush }
}

/** A mirror of what is needed, as commit-server has it. */
function openMirrorOf(place: string, url: string): Promise<Mirror> {
  return openTestMirror(place, url, undefined, 'built-in', 'needed')
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean)
}

/** A text as `git fast-import` reads it. */
function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`
}
