import path from 'node:path'
import { CanceledError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { DiskFullError } from '@wadi/errors/machine-shortage.ts'
import { CoalescingQueue } from '@wadi/concurrency/coalescing-queue.ts'
import { readCommitMetadata } from '../commit/commit-metadata.ts'
import type { GitCredentials } from '../remote/credentials.ts'
import { RepositoryMovedError } from '../process/git-failure.ts'
import { prepareMirrorFolder, removeUnfinishedObjects, replaceMirrorFolder } from './mirror-folder.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { normalizeRepositoryUrl, parseRepositoryUrl } from '../remote/repository-url.ts'
import type { RepositoryUrl, UrlPolicy } from '../remote/repository-url.ts'
import { assertCommitSha, assertRefName } from './revision.ts'
import { runGit } from '../process/run-git.ts'
import type { GitResult, RunGitOptions } from '../process/run-git.ts'

/** What a mirror is a mirror of, and where it lies. */
type MirrorOptions = {
  /** An absolute path whose folder belongs to this mirror alone. */
  directory: string
  url: string
  policy: UrlPolicy
  /** Asked before every contact with the remote, so that rotated credentials take effect. */
  credentials: () => Promise<GitCredentials | undefined>
  /** Asked before every contact for the addresses to connect to, none where any will do; throws to refuse the remote. */
  addressesOf?: (remote: RepositoryUrl) => Promise<readonly string[]>
  signal?: AbortSignal | undefined
}

/** The refs of a remote at one moment. */
export type RemoteRefs = {
  /** The short name of the branch that HEAD names. */
  head?: string
  /** Full ref name, or `HEAD`, to object; an annotated tag has a second entry with `^{}` for its commit. */
  refs: Map<string, string>
}

/** The options of `runGit` that a call inside a mirror may set. */
type CallOptions = Omit<RunGitOptions, 'args' | 'gitDirectory' | 'remote' | 'credentials'>

/** Fetches and pushes may take this long as long as data flows; callers bound them by their signal. */
const transferTimeoutMs = 30 * 60_000
const maxRefListBytes = 256 * 1024 * 1024

/**
 * Opens the mirror in a folder, and makes it if it does not exist. Contacts nobody.
 * @throws InvalidInputError for a URL that the policy refuses, FailedPreconditionError if the folder holds
 *   something else
 */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const remote = parseRepositoryUrl(options.url, options.policy)
  if (!path.isAbsolute(options.directory)) {
    throw new InvalidInputError(`the mirror directory ${options.directory} is not an absolute path`)
  }
  await prepareMirrorFolder(options.directory, normalizeRepositoryUrl(remote.text), options.signal)
  return new Mirror(options, remote)
}

/**
 * A bare repository on disk that holds what was fetched from one remote, and what is about to be pushed there.
 *
 * Fetches run one at a time; reads, builds and pushes run beside them. Any method may throw CorruptMirrorError:
 * then `recreate` and fetch again.
 */
export class Mirror implements AsyncDisposable {
  readonly directory: string
  /** The URL as configured. */
  readonly url: string
  readonly objects: ObjectReader
  readonly #options: MirrorOptions
  readonly #fetches = new CoalescingQueue('git fetch')
  readonly #closing = new AbortController()
  /** Where the repository is now: the configured URL, or where the same host redirected to. */
  #remote: RepositoryUrl

  constructor(options: MirrorOptions, remote: RepositoryUrl) {
    this.directory = options.directory
    this.url = remote.text
    this.objects = new ObjectReader(options.directory)
    this.#options = options
    this.#remote = remote
  }

  /** Asks the remote for its refs. */
  async listRemote(signal?: AbortSignal): Promise<RemoteRefs> {
    const { stdout } = await this.contact((url) => ['ls-remote', '--symref', '--', url], {
      signal,
      maxOutputBytes: maxRefListBytes,
    })
    return parseRemoteRefs(stdout.toString())
  }

  /**
   * Fetches refspecs such as `+refs/heads/*:refs/heads/*`, or bare SHAs. Refs of the mirror that a pattern covers
   * and the remote no longer has are removed. Equal calls that wait for a running fetch share the next one.
   * @throws NotFoundError for a ref that the remote does not have
   */
  async fetch(refspecs: string[], signal?: AbortSignal): Promise<void> {
    for (const refspec of refspecs) assertRefspec(refspec)
    const work = async (shared: AbortSignal): Promise<void> => {
      const flags = ['--quiet', '--no-tags', '--prune', '--no-write-fetch-head', '--no-auto-maintenance']
      await this.contact((url) => ['fetch', ...flags, '--', url, ...refspecs], {
        signal: shared,
        timeoutMs: transferTimeoutMs,
      })
    }
    await this.#fetches.run(refspecs.join('\n'), work, signal)
  }

  /** Tells whether the mirror has an object. */
  async hasObject(sha: string): Promise<boolean> {
    assertCommitSha(sha)
    return (await this.objects.resolve(sha)) !== undefined
  }

  /**
   * Sets a ref of the mirror, or removes it if `sha` is undefined.
   * @param expected what the ref must hold now; anything if left out
   * @throws ConflictError if it holds something else
   */
  async updateRef(ref: string, sha: string | undefined, expected?: string): Promise<void> {
    assertRefName(ref)
    if (sha !== undefined) assertCommitSha(sha)
    if (expected !== undefined) assertCommitSha(expected)
    const command = sha === undefined ? ['-d', ref] : [ref, sha]
    await this.raw(['update-ref', '--no-deref', ...command, ...(expected === undefined ? [] : [expected])])
  }

  /**
   * The commits after `fromExclusive` up to and with `to`, along first parents, oldest first. Without
   * `fromExclusive` they begin at the root.
   */
  async commitRange(fromExclusive: string | undefined, to: string, signal?: AbortSignal): Promise<string[]> {
    assertCommitSha(to)
    if (fromExclusive !== undefined) assertCommitSha(fromExclusive)
    const exclusion = fromExclusive === undefined ? [] : [`^${fromExclusive}`]
    const args = ['rev-list', '--first-parent', '--reverse', to, ...exclusion, '--']
    const { stdout } = await this.raw(args, { signal })
    return stdout.toString().split('\n').filter(Boolean)
  }

  /** Tells whether `ancestor` is `descendant` or can be reached from it. */
  async isAncestor(ancestor: string, descendant: string, signal?: AbortSignal): Promise<boolean> {
    assertCommitSha(ancestor)
    assertCommitSha(descendant)
    if (ancestor === descendant) return true
    // What was built on a head is a child of it; the open reader knows that without a process.
    const { parents } = await readCommitMetadata(this.objects, descendant)
    if (parents.includes(ancestor)) return true
    const args = ['merge-base', '--is-ancestor', ancestor, descendant]
    return (await this.raw(args, { signal, acceptExitCodes: [0, 1] })).exitCode === 0
  }

  /** Packs what was written since the last time, so that the number of files stays small; nothing is lost. */
  async maintain(signal?: AbortSignal): Promise<void> {
    await this.raw(['repack', '--quiet', '-d', '--geometric=2'], { signal, timeoutMs: transferTimeoutMs })
    await this.raw(['pack-refs', '--all'], { signal })
  }

  /** Throws everything in the mirror away; for a damaged one. Runs after a fetch that is going on. */
  async recreate(signal?: AbortSignal): Promise<void> {
    const work = async (): Promise<void> => {
      await this.objects.close()
      await replaceMirrorFolder(this.directory, normalizeRepositoryUrl(this.url), signal)
    }
    await this.#fetches.run('recreate', work, signal)
  }

  /** Runs a git command in the mirror that talks to nobody. */
  async raw(args: string[], options: CallOptions = {}): Promise<GitResult> {
    return this.#run({ ...options, args, signal: this.#signal(options.signal) })
  }

  /**
   * Runs a git command that talks to the remote, with its credentials. A redirect within the same host and port is
   * followed once and remembered; any other is refused.
   * @param args makes the arguments from the URL to use; put `--` before the URL
   * @throws RepositoryMovedError
   */
  async contact(args: (url: string) => string[], options: CallOptions = {}): Promise<GitResult> {
    const credentials = await this.#options.credentials()
    const signal = this.#signal(options.signal)
    const run = async (remote: RepositoryUrl): Promise<GitResult> =>
      this.#run({
        ...options,
        addresses: (await this.#options.addressesOf?.(remote)) ?? [],
        args: args(remote.text),
        remote,
        credentials,
        signal,
      })
    try {
      return await run(this.#remote)
    } catch (error) {
      const next = error instanceof RepositoryMovedError ? this.#sameOrigin(error.location) : undefined
      if (next === undefined) throw error
      const result = await run(next)
      this.#remote = next
      return result
    }
  }

  /** Stops what runs and frees the folder; its content stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new CanceledError('the mirror was closed'))
    await this.#fetches.idle()
    await this.objects.close()
  }

  async #run(options: RunGitOptions): Promise<GitResult> {
    try {
      return await runGit({ ...options, gitDirectory: this.directory })
    } catch (error) {
      if (error instanceof DiskFullError) await removeUnfinishedObjects(this.directory)
      throw error
    }
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal])
  }

  #sameOrigin(location: string | undefined): RepositoryUrl | undefined {
    const target = /^(.*)\/info\/refs(?:\?.*)?$/.exec(location ?? '')?.[1]
    const here = URL.parse(this.#remote.text)
    if (target === undefined || URL.parse(target)?.origin !== here?.origin) return undefined
    return target === this.#remote.text ? undefined : parseRepositoryUrl(target, this.#options.policy)
  }
}

function isRefPattern(text: string): boolean {
  return /^refs\/[^\p{Cc}\s~^:?[\\]+$/u.test(text) && !text.includes('..')
}

function assertRefspec(refspec: string): void {
  const [source = '', target, ...others] = refspec.replace(/^\+/, '').split(':')
  const valid = target === undefined ? /^[0-9a-f]{40,64}$/.test(source) : isRefPattern(target)
  const validSource =
    target === undefined || source === 'HEAD' || isRefPattern(source) || /^[0-9a-f]{40,64}$/.test(source)
  if (!valid || !validSource || others.length > 0) {
    throw new InvalidInputError(`${JSON.stringify(refspec)} is not a refspec to fetch`)
  }
}

function parseRemoteRefs(text: string): RemoteRefs {
  const refs = new Map<string, string>()
  let head: string | undefined
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t')
    if (tab < 0) continue
    const value = line.slice(0, tab)
    const name = line.slice(tab + 1)
    if (!value.startsWith('ref: ')) refs.set(name, value)
    else if (name === 'HEAD' && value.startsWith('ref: refs/heads/')) head = value.slice(16)
  }
  return head === undefined ? { refs } : { head, refs }
}
