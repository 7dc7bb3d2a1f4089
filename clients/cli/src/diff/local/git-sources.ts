import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitForFileLock } from '@wadi/concurrency/file-lock.ts'
import { CanceledError, FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { withoutUserInfo } from '@wadi/errors/redaction.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import { placedNotes } from '@wadi/git/commit/note-places.ts'
import { resolveRevision } from '@wadi/git/mirror/resolve-revision.ts'
import { type CommitTree, openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { ObjectReader } from '@wadi/git/objects/object-reader.ts'
import { classifyGitFailure, RepositoryNotFoundError } from '@wadi/git/process/git-failure.ts'
import { parseRepositoryUrl, type RepositoryUrl, redactUrl } from '@wadi/git/remote/repository-url.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import type { SourceFiles } from './source-files.ts'

const run = promisify(execFile)

const timeoutMs = 10 * 60_000
const maxOutputBytes = 64 * 1024 * 1024
const maxMessage = 500
const maxNoteBytes = 1024 * 1024

/** The head of a branch, and what its commit and its note say. */
export interface BranchHead extends SourceFiles {
  readonly tree: CommitTree
  readonly message: string
  /** When it was committed: RFC 3339 in UTC, to the second. */
  readonly date: string
  /** Empty without one. */
  readonly note: string
}

/** Other git repositories at their revisions now, fetched by the user's git with its credentials and kept between runs. */
export class GitSources implements AsyncDisposable {
  readonly #directory: string
  readonly #environment: NodeJS.ProcessEnv
  readonly #trees = new TreeCache()
  readonly #readers = new Map<string, ObjectReader>()
  readonly #listed = new Map<string, Promise<string>>()

  constructor(directory: string, environment: NodeJS.ProcessEnv) {
    this.#directory = join(directory, 'repositories')
    this.#environment = environment
  }

  /** @throws InvalidInputError for a URL that git must not get, NotFoundError for the revision, FailedPreconditionError with git's words */
  async files({ repoURL, targetRevision }: DrySource, signal: AbortSignal): Promise<SourceFiles> {
    const { sha, tree } = await this.#open(this.#remote(repoURL), targetRevision, signal)
    return { sha, tree }
  }

  /** @throws the same for a branch */
  async head(repoURL: string, branch: string, signal: AbortSignal): Promise<BranchHead> {
    const remote = this.#remote(repoURL)
    const { sha, tree, reader } = await this.#open(remote, `refs/heads/${branch}`, signal)
    const { subject, body, committerDate: date } = await readCommitMetadata(reader, sha)
    const notes = await this.#open(remote, notesRef, signal).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined
      throw error
    })
    const [note] = notes ? await placedNotes(notes.tree, sha) : []
    const text = note && (await notes?.tree.read(note.entry, maxNoteBytes))?.toString()
    return { sha, tree, message: `${subject}\n\n${body}`, date, note: text ?? '' }
  }

  #remote(url: string): RepositoryUrl {
    const allowFile = this.#environment['WADI_ALLOW_FILE_URLS'] === 'true'
    return parseRepositoryUrl(url, { allowFile, allowPlainHttp: 'always' })
  }

  async #open(
    remote: RepositoryUrl,
    revision: string,
    signal: AbortSignal,
  ): Promise<{ sha: string; tree: CommitTree; reader: ObjectReader }> {
    const directory = join(this.#directory, `${hash('sha256', remote.text)}.git`)
    const { sha, ref } = await this.#resolve(remote, revision, signal)
    const reader = await this.#fetched(remote, directory, { sha, ref: ref ?? sha }, signal)
    return { sha, tree: await openCommitTree(reader, this.#trees, sha), reader }
  }

  /** Fetches a commit into the kept repository, which comparisons side by side and other commands of the user fill as well. */
  async #fetched(
    remote: RepositoryUrl,
    directory: string,
    { sha, ref }: { sha: string; ref: string },
    signal: AbortSignal,
  ): Promise<ObjectReader> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    using _ = await waitForFileLock(`${directory}.lock`, signal)
    // Also after a command that was killed: what is there already stays, and nobody else has the locks of git.
    await this.#git(remote, ['init', '--quiet', '--bare', directory], signal)
    const reader = this.#readers.getOrInsertComputed(directory, () => new ObjectReader(directory))
    if ((await reader.resolve(`${sha}^{commit}`)) === undefined) {
      await rm(join(directory, 'shallow.lock'), { force: true })
      const args = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head']
      await this.#git(remote, ['--git-dir', directory, ...args, '--', remote.text, ref], signal)
    }
    return reader
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reader of this.#readers.values()) await reader.close()
  }

  async #resolve(
    remote: RepositoryUrl,
    revision: string,
    signal: AbortSignal,
  ): Promise<{ sha: string; ref?: string }> {
    const list = ['ls-remote', '--symref', '--', remote.text]
    const listed = await this.#listed.getOrInsertComputed(remote.text, () => this.#git(remote, list, signal))
    const refs = new Map<string, string>()
    let head: string | undefined
    for (const line of listed.split('\n')) {
      const [value = '', name = ''] = line.split('\t')
      if (value.startsWith('ref: ')) head = name === 'HEAD' ? value.slice('ref: refs/heads/'.length) : head
      else if (name !== '') refs.set(name, value)
    }
    const found = resolveRevision(revision, refs, head)
    if (found && 'sha' in found) return found
    throw new NotFoundError(
      found
        ? `revision ${revision} is the beginning of a commit; give the whole id`
        : `revision ${JSON.stringify(revision)} does not exist`,
    )
  }

  /** Runs git as the user does, but without questions, hooks or another transport than that of the URL. */
  async #git(remote: RepositoryUrl, args: readonly string[], signal: AbortSignal): Promise<string> {
    const env = {
      ...withoutRepository(this.#environment),
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: remote.transport,
      LC_ALL: 'C',
    }
    const settings = ['core.hooksPath=/dev/null', 'fetch.recurseSubmodules=false', 'gc.auto=0']
    const options = settings.flatMap((setting) => ['-c', setting])
    try {
      const limits = { cwd: '/', env, signal, timeout: timeoutMs, maxBuffer: maxOutputBytes }
      return (await run('git', [...options, ...args], limits)).stdout
    } catch (cause) {
      if (signal.aborted) throw new CanceledError('the comparison was ended', { cause })
      const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause)
      const failure = classifyGitFailure(said, null, { command: args[0] ?? '', url: remote.text })
      if (failure instanceof NotFoundError && !(failure instanceof RepositoryNotFoundError)) throw failure
      // Before it is cut, since half a URL would not be recognized.
      const words = withoutUserInfo(said)
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .slice(0, maxMessage)
      throw new FailedPreconditionError(
        `${words}; see to it that "git ls-remote ${redactUrl(remote.text)}" works outside of the checkout`,
        { cause },
      )
    }
  }
}

/** A hook of git that runs this program has variables that name its own repository. */
function withoutRepository(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names =
    /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|SHALLOW_FILE)$/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.test(name)))
}
