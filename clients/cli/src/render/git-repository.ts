import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { ObjectReader } from '@wadi/git/objects/object-reader.ts'
import { runGit } from '@wadi/git/process/run-git.ts'
import { parseRepositoryUrl, redactUrl } from '@wadi/git/remote/repository-url.ts'
import { simpleGit } from 'simple-git'
import { CommandFailure } from '../command-line/command-failure.ts'

/** A transfer that stands still for this long is over. */
const stalledTransferMs = 60_000

/** A git repository whose commits are read without a checkout. */
export class GitRepository implements AsyncDisposable {
  /** The path or URL from which it was opened, for messages. */
  readonly location: string
  readonly #gitDirectory: string
  readonly #objects: ObjectReader
  readonly #temporaryDirectory: string | undefined

  constructor(location: string, gitDirectory: string, temporaryDirectory?: string) {
    this.location = location
    this.#gitDirectory = gitDirectory
    this.#objects = new ObjectReader(gitDirectory)
    this.#temporaryDirectory = temporaryDirectory
  }

  /** The files of the commit that the first known of the revisions names. */
  async openCommit(...revisions: string[]): Promise<CommitTree> {
    for (const revision of revisions) {
      const sha = await this.#objects.resolve(`${revision}^{commit}`)
      if (sha !== undefined) return openCommitTree(this.#objects, new TreeCache(), sha)
    }
    throw new CommandFailure(`${this.location} has no commit ${revisions[0]}`)
  }

  /** The references of the branches of the remote `origin`, and of its own branches which that lacks, by their names; the newest first. */
  async branches(): Promise<Map<string, string>> {
    const prefixes = ['refs/remotes/origin/', 'refs/heads/']
    const { stdout } = await runGit({
      args: ['for-each-ref', '--sort=-committerdate', '--format=%(refname)', ...prefixes],
      gitDirectory: this.#gitDirectory,
    })
    const references = stdout.toString().split('\n')
    const branches = new Map<string, string>()
    for (const prefix of prefixes) {
      const own = references.filter((reference) => reference.startsWith(prefix))
      for (const reference of own) branches.getOrInsert(reference.slice(prefix.length), reference)
    }
    branches.delete('HEAD')
    return branches
  }

  /** Returns true if there is an object that an expression such as `main:README.md` names. */
  async has(expression: string): Promise<boolean> {
    return (await this.#objects.resolve(expression)) !== undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects.close()
    if (this.#temporaryDirectory !== undefined)
      await rm(this.#temporaryDirectory, { recursive: true, force: true })
  }
}

/**
 * Opens a directory that holds a repository, or clones a URL, with the user's own git credentials, into a temporary
 * directory that goes away with the object.
 * @throws InvalidInputError for a URL that is none, CommandFailure when git cannot open or clone it
 */
export async function openRepository(location: string, signal: AbortSignal): Promise<GitRepository> {
  if (existsSync(location)) {
    const gitDirectory = await attempt(`${location} is not a git repository`, () =>
      simpleGit(location, { abort: signal }).raw(['rev-parse', '--absolute-git-dir']),
    )
    return new GitRepository(location, gitDirectory.trim())
  }
  const { text } = parseRepositoryUrl(location, { allowFile: true, allowPlainHttp: 'always' })
  const shown = redactUrl(text)
  const directory = await mkdtemp(join(tmpdir(), 'wadi-clone-'))
  try {
    const git = simpleGit(directory, { abort: signal, timeout: { block: stalledTransferMs } })
    await attempt(`${shown} cannot be cloned`, () => git.clone(text, 'repository.git', ['--bare', '--quiet']))
    return new GitRepository(shown, join(directory, 'repository.git'), directory)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

async function attempt(failure: string, call: () => Promise<string>): Promise<string> {
  try {
    return await call()
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error)
    throw new CommandFailure(`${failure}: ${reason}`, undefined, { cause: error })
  }
}
