import path from 'node:path'
import { CanceledError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { DiskFullError } from '@wadi/errors/machine-shortage.ts'
import { type CommitMetadata, readCommitMetadata } from '../commit/commit-metadata.ts'
import { prepareMirrorDirectory, removeUnfinishedObjects } from './mirror-directory.ts'
import { MirrorFetches, transferTimeoutMs } from './mirror-fetches.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { normalizeRepositoryUrl } from '../remote/repository-identity.ts'
import { parseRepositoryUrl } from '../remote/repository-url.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import type { RepositoryUrl } from '../remote/repository-url.ts'
import { maxRefListBytes } from '../smart-http/advertisement.ts'
import { listRefs } from '../smart-http/list-refs.ts'
import type { ServerMemory } from '../smart-http/server-memory.ts'
import { Remote } from './remote.ts'
import type { RemoteOptions, Ways } from './remote.ts'
import type { Depth } from './history.ts'
import { type GitFetch, leavesOut, type WholeReason } from './parts.ts'
import { readRemoteRefs, type RemoteRefs } from './remote-refs.ts'
import { assertCommitSha, assertRefName } from './revision.ts'
import { runGit } from '../process/run-git.ts'
import type { GitResult, RunGitOptions } from '../process/run-git.ts'

/** The repository of a mirror, and its directory. */
type MirrorOptions = RemoteOptions & {
  /** An absolute path whose directory belongs to this mirror alone. */
  directory: string
  url: string
  /** The objects that are fetched: everything, by default, or what is needed, where the server offers parts. */
  gitFetch?: GitFetch
  /** Called when everything was fetched although the mirror fetches what is needed. */
  onWhole?: (reason: WholeReason, message: string) => void
  /** Called when the disk is full, to make room. */
  onDiskFull?: () => void
  signal?: AbortSignal | undefined
}

/** The options of `runGit` that a call inside a mirror may set. */
type CallOptions = Omit<RunGitOptions, 'args' | 'gitDirectory' | 'remote' | 'credentials' | 'addresses'>

/** Each fetch leaves a pack, and each built commit a few files; they are packed after so many of both, or by the hour. */
const maxUnpackedWrites = 64
/** A proposed change is a few commits before what it is compared with. */
const nearSteps = 8
/** A question that is not a transfer is answered within this time. */
const questionTimeoutMs = 90_000

/**
 * Opens the mirror in a directory, and makes it if it does not exist. Contacts nobody.
 * @throws InvalidInputError for a URL that the policy refuses, FailedPreconditionError if the directory holds
 *   something else
 */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const remote = parseRepositoryUrl(options.url, options.policy)
  if (!path.isAbsolute(options.directory)) {
    throw new InvalidInputError(`the mirror directory ${options.directory} is not an absolute path`)
  }
  const identity = normalizeRepositoryUrl(remote.text)
  const { directory, signal } = options
  const isPart = await prepareMirrorDirectory(directory, identity, leavesOut(options, remote), signal)
  return new Mirror(options, remote, isPart)
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
  readonly #fetches: MirrorFetches
  readonly #closing = new AbortController()
  readonly #remote: Remote
  readonly #onDiskFull: MirrorOptions['onDiskFull']
  #unpackedWrites = 0
  #maintenance: Promise<void> | undefined

  constructor(options: MirrorOptions, remote: RepositoryUrl, isPart: boolean) {
    this.directory = options.directory
    this.url = remote.text
    this.objects = new ObjectReader(options.directory)
    this.#remote = new Remote(options, remote)
    this.#onDiskFull = options.onDiskFull
    this.#fetches = new MirrorFetches({
      directory: this.directory,
      url: this.url,
      objects: this.objects,
      remote: this.#remote,
      isPart,
      wantsPart: leavesOut(options, remote),
      signal: (signal) => this.#signal(signal),
      run: (call) => this.#run(call),
      onFetched: () => this.countWrite(),
      onWhole: (reason, message) => options.onWhole?.(reason, message),
      maintained: async () => {
        await this.#maintenance?.catch(() => undefined)
      },
    })
    this.objects.absent = this.#fetches
  }

  /** Asks the remote for its refs. */
  async listRemote(signal?: AbortSignal): Promise<RemoteRefs> {
    const whole = AbortSignal.any([this.#signal(signal), AbortSignal.timeout(questionTimeoutMs)])
    const ask = (target: RemoteTarget): Promise<GitResult> =>
      this.talk(target, ['ls-remote', '--symref', '--', target.url.text], { maxOutputBytes: maxRefListBytes })
    const git = async (target: RemoteTarget): Promise<RemoteRefs> =>
      readRemoteRefs((await ask(target)).stdout.toString(), target.url.text)
    const builtIn = (target: RemoteTarget, memory: ServerMemory) => listRefs(target, memory)
    return this.#remote.reach('ls-remote', { builtIn, git }, whole)
  }

  /**
   * Fetches refspecs such as `+refs/heads/*:refs/heads/*`, or bare SHAs. Refs of the mirror that a pattern covers
   * and the remote no longer has are removed. Equal calls that wait for a running fetch share the next one.
   * @param near refs of the mirror that new commits probably begin at; with one of them, the others are not read for a new ref
   * @throws NotFoundError for a ref or an object that the remote does not have
   */
  async fetch(refspecs: string[], signal?: AbortSignal, near: readonly string[] = []): Promise<void> {
    await this.#fetches.fetch({ refspecs, near }, signal)
  }

  /**
   * Fetches refspecs from another repository of the same host, such as a fork: without credentials where the host gives it to
   * anybody, else with those of the remote.
   * @throws InvalidInputError for a repository of another host; NotFoundError for a ref or repository that is not there
   */
  async fetchFrom(url: string, refspecs: string[], signal?: AbortSignal): Promise<void> {
    await this.#fetches.fetchFrom(url, refspecs, signal)
  }

  /** True if the mirror may lack objects, which are fetched when they are read. */
  get isPart(): boolean {
    return this.#fetches.isPart
  }

  /**
   * Makes sure that a mirror which may lack objects has every commit that some commits are built on.
   * @param depth `trees` for their trees, too
   * @throws UnavailableError with the cause if the server does not give them now
   */
  async completeHistory(shas: readonly string[], signal?: AbortSignal, depth?: Depth): Promise<void> {
    for (const sha of shas) assertCommitSha(sha)
    await this.#fetches.completeHistory(shas, depth ?? 'commits', signal)
  }

  /** Tells whether the mirror has an object; of a commit also its tree, where that may be missing. */
  async hasObject(sha: string): Promise<boolean> {
    assertCommitSha(sha)
    return (await this.objects.resolve(this.isPart ? `${sha}^{tree}` : sha)) !== undefined
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
    await this.completeHistory([to], signal)
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
    const wasPart = this.isPart
    await this.completeHistory([descendant], signal)
    // It would be there with its history; git takes a commit whose parents are missing for the first one.
    if (wasPart && !(await this.#fetches.hasHistory(ancestor))) return false
    const args = ['merge-base', '--is-ancestor', ancestor, descendant]
    return (await this.raw(args, { signal, acceptExitCodes: [0, 1] })).exitCode === 0
  }

  /** The newest commit that two histories share; undefined when they share none. */
  async mergeBase(one: string, other: string, signal?: AbortSignal): Promise<string | undefined> {
    assertCommitSha(one)
    assertCommitSha(other)
    if (await this.#hasNear(one, other)) return other
    await this.completeHistory([one, other], signal)
    const { stdout } = await this.raw(['merge-base', one, other], { signal, acceptExitCodes: [0, 1] })
    return stdout.toString().trim() || undefined
  }

  /** True if a few steps along first parents lead to a commit; the open reader finds that without a process. */
  async #hasNear(from: string, to: string): Promise<boolean> {
    let at: string | undefined = from
    for (let steps = 0; at !== undefined && steps < nearSteps; steps++) {
      if (this.isPart && (await this.objects.resolve(at)) === undefined) return false
      const { parents }: CommitMetadata = await readCommitMetadata(this.objects, at)
      if (parents.includes(to)) return true
      at = parents[0]
    }
    return false
  }

  /** Counts something that added files; after enough of it they are packed, beside what else is done. */
  countWrite(): void {
    this.#unpackedWrites += 1
    // What cannot be packed now is packed by the hour.
    if (this.#unpackedWrites >= maxUnpackedWrites) void this.maintain().catch(() => undefined)
  }

  /** Packs what was written since the last time, so that the number of files stays small; nothing is lost. Callers share what is under way. */
  async maintain(): Promise<void> {
    this.#unpackedWrites = 0
    this.#maintenance ??= this.#pack().finally(() => (this.#maintenance = undefined))
    return this.#maintenance
  }

  /** Returns a number that changes when the mirror is made again. */
  get generation(): number {
    return this.#fetches.generation
  }

  /**
   * Throws everything in the mirror away; for a damaged one. Runs after a fetch that is going on.
   * @param generation that of the mirror which was seen damaged; one that was made again since stays
   */
  async recreate(generation = this.generation, signal?: AbortSignal): Promise<void> {
    await this.#fetches.recreate(generation, signal)
  }

  /** Runs a git command in the mirror that talks to nobody. */
  async raw(args: string[], options: CallOptions = {}): Promise<GitResult> {
    return this.#run({ ...options, args, signal: this.#signal(options.signal) })
  }

  /**
   * Does something with the remote, with its credentials, in one of several ways (`Remote.reach`).
   * @param what names it in traces, such as `push`
   * @throws RepositoryMovedError
   */
  async contact<T>(what: string, ways: Ways<T>, signal?: AbortSignal): Promise<T> {
    return this.#remote.reach(what, ways, this.#signal(signal))
  }

  /** Runs a git command that talks to a remote that is being contacted; put `--` before its URL. */
  async talk(target: RemoteTarget, args: string[], options: CallOptions = {}): Promise<GitResult> {
    const { url: remote, credentials, addresses, signal } = target
    return this.#run({ ...options, args, remote, credentials, addresses, signal })
  }

  /** Stops what runs and frees the directory; its content stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new CanceledError('the mirror was closed'))
    await this.#fetches.idle()
    await this.#maintenance?.catch(() => undefined)
    await this.objects.close()
  }

  async #pack(): Promise<void> {
    await this.raw(['repack', '--quiet', '-d', '--geometric=2'], { timeoutMs: transferTimeoutMs })
    await this.raw(['pack-refs', '--all'])
  }

  async #run(options: RunGitOptions): Promise<GitResult> {
    try {
      return await runGit({ gitDirectory: this.directory, ...options })
    } catch (error) {
      if (error instanceof DiskFullError) {
        await removeUnfinishedObjects(this.directory)
        this.#onDiskFull?.()
      }
      throw error
    }
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal])
  }
}
