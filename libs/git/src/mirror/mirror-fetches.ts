import { CoalescingQueue } from '@wadi/concurrency/coalescing-queue.ts'
import { NotFoundError, PermissionDeniedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { RepositoryNotFoundError } from '../process/git-failure.ts'
import type { GitResult, RunGitOptions } from '../process/run-git.ts'
import { normalizeRepositoryUrl } from '../remote/repository-identity.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { redactUrl } from '../remote/repository-url.ts'
import type { ServerMemory } from '../smart-http/server-memory.ts'
import { fetchRefs } from './fetch-refs.ts'
import type { FetchedRepository } from './fetch-refs.ts'
import { type Depth, type Histories, openHistories } from './history.ts'
import { replaceMirrorDirectory } from './mirror-directory.ts'
import { mirrorRef } from './mirror-ref.ts'
import { type ObjectRequest, ObjectRequests } from './object-requests.ts'
import { fetchObjects, NoPartsError, partsOf, unavailable, type WholeReason } from './parts.ts'
import { isObject, parseRefspec } from './refspec.ts'
import type { Remote, Ways } from './remote.ts'

/** Fetches may take this long as long as data flows; callers bound them by their signal. */
export const transferTimeoutMs = 30 * 60_000

/** The most commits that are named one by one. */
const maxNamed = 10

/** Every branch and every tag. */
const everything = ['+refs/heads/*:refs/wadi/heads/*', '+refs/tags/*:refs/wadi/tags/*']

/** The mirror that is fetched into. */
type FetchesOptions = {
  directory: string
  url: string
  objects: ObjectReader
  remote: Remote
  /** True if the mirror on disk may lack objects. */
  isPart: boolean
  /** True if a fetch may leave out objects, where the server offers that. */
  wantsPart: boolean
  /** The signal with that which ends everything when the mirror is closed. */
  signal: (signal?: AbortSignal) => AbortSignal
  run: (options: RunGitOptions) => Promise<GitResult>
  /** Called after each fetch. */
  onFetched: () => void
  /** Called when a mirror that might have lacked objects was made whole. */
  onWhole: (reason: WholeReason, message: string) => void
  /** Waits for maintenance that is under way. */
  maintained: () => Promise<void>
}

type Way = (target: RemoteTarget, memory: ServerMemory) => Promise<void>

/** The refs to fetch, as `fetchRefs` takes them. */
type Wanted = { refspecs: readonly string[]; near: readonly string[] }

/**
 * Brings objects into a mirror, one fetch at a time. A mirror that may lack objects has the commits and trees of its refs, and the rest
 * when it is asked for. It becomes a whole one where the server gives no parts.
 */
export class MirrorFetches {
  readonly #options: FetchesOptions
  readonly #queue = new CoalescingQueue('git fetch')
  readonly #history: Histories
  readonly #requests = new ObjectRequests()
  /** The odd answers in a row, for `partsOf`. */
  readonly #odd = new Map<string, number>()
  #isPart: boolean
  #generation = 0

  constructor(options: FetchesOptions) {
    this.#options = options
    this.#isPart = options.isPart
    this.#history = openHistories(this.#repository(options.signal()))
  }

  /** True if the mirror may lack objects. */
  get isPart(): boolean {
    return this.#isPart
  }

  /** See `Mirror.generation`. */
  get generation(): number {
    return this.#generation
  }

  /** See `Mirror.fetch`. */
  async fetch(wanted: Wanted, signal?: AbortSignal): Promise<void> {
    for (const refspec of wanted.refspecs) parseRefspec(refspec)
    await this.#inTurn(
      wanted.refspecs.join('\n'),
      (whole) => (this.#isPart ? this.#fetchPart(wanted, whole) : this.#fetchWhole(wanted, whole)),
      signal,
    )
  }

  /** See `Mirror.fetchFrom`. */
  async fetchFrom(url: string, refspecs: readonly string[], signal?: AbortSignal): Promise<void> {
    for (const refspec of refspecs) parseRefspec(refspec)
    const fetch = (kind: string, remote: Remote): Promise<void> =>
      this.#inTurn(
        `${kind} ${url}\n${refspecs.join('\n')}`,
        async (whole) => {
          const ways = this.#waysOf({ refspecs, near: [] }, this.#isPart ? 'rest' : 'whole')
          await remote.reach('fetch', ways, whole)
        },
        signal,
      )
    const { anonymous, known } = this.#options.remote.neighbours(url)
    try {
      await fetch('anonymous', anonymous)
    } catch (error) {
      if (!(error instanceof PermissionDeniedError || error instanceof NotFoundError)) throw error
      await fetch('known', known)
    }
  }

  /**
   * Fetches objects that a commit leads to and the mirror lacks, together with what others ask for at the same time.
   * @throws UnavailableError with the cause if the server does not give them now
   */
  async load(commit: string, oids: readonly string[]): Promise<void> {
    const loaded = this.#requests.add(commit, oids)
    await this.#inTurn('objects', async (signal) => {
      // The reader answers those who asked it before, so what they miss comes along.
      await this.#options.objects.lacking(oids)
      await this.#requests.serve((requests) => this.#loadTogether(requests, signal))
    })
    await unavailable('it', this.#options.url, () => loaded)
  }

  /** See `Mirror.completeHistory`. */
  async completeHistory(shas: readonly string[], depth: Depth, signal?: AbortSignal): Promise<void> {
    if (!this.#isPart || (await this.#history[depth].hasAll(shas))) return
    const what = `the history of commit ${shas.slice(0, maxNamed).join(', ')}`
    await this.#inTurn(
      `history ${depth}\n${shas.join('\n')}`,
      (whole) => unavailable(what, this.#options.url, () => this.#completeNow(shas, depth, whole)),
      signal,
    )
  }

  /** True if every commit that a commit is built on is in the mirror, and the commit itself. */
  async hasHistory(sha: string): Promise<boolean> {
    return this.#history.commits.hasAll([sha])
  }

  /** See `Mirror.recreate`. */
  async recreate(generation: number, signal?: AbortSignal): Promise<void> {
    const replace = async (): Promise<void> => {
      if (generation === this.#generation) await this.#replace(this.#options.wantsPart, signal)
    }
    await this.#queue.run(`recreate ${generation}`, replace, signal)
  }

  /** Waits for what is under way. */
  async idle(): Promise<void> {
    await this.#queue.idle()
  }

  async #inTurn(
    key: string,
    work: (whole: AbortSignal) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { signal: closing, onFetched } = this.#options
    const run = async (shared: AbortSignal): Promise<void> => {
      await work(AbortSignal.any([closing(shared), AbortSignal.timeout(transferTimeoutMs)]))
      onFetched()
    }
    await this.#queue.run(key, run, signal)
  }

  async #completeNow(shas: readonly string[], depth: Depth, signal: AbortSignal): Promise<void> {
    // What was fetched while this waited may have them, and may be a whole mirror.
    if (await this.#history[depth].hasAll(shas)) return
    const refspecs = shas.length > maxNamed ? everything : shas.map(keptRefspec)
    if (!this.#isPart) return this.#fetchWhole({ refspecs, near: [] }, signal)
    await this.#orWhole(refspecs, signal, 'fetch history', (target, memory) =>
      this.#history[depth].fetch(shas, target, memory),
    )
  }

  async #fetchPart(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const fetch: Way = (target, memory) =>
      fetchRefs(this.#repository(target.signal), target, memory, { ...wanted, scope: 'tips' })
    try {
      await this.#orWhole(wanted.refspecs, signal, 'fetch', fetch)
    } catch (error) {
      if (!wanted.refspecs.every(isObject)) throw error
      await this.#wholeIfRefused(error, wanted.refspecs, signal)
    }
  }

  /** Makes the mirror whole where the server has commits and does not give objects of them by name; rethrows any other error. */
  async #wholeIfRefused(error: unknown, commits: readonly string[], signal: AbortSignal): Promise<void> {
    if (!(error instanceof NotFoundError) || error instanceof RepositoryNotFoundError) throw error
    if (this.#history.commits.wasUnlisted(commits)) throw error
    await this.#orWhole(everything, signal, 'fetch history', async (target, memory) => {
      if (await this.#history.commits.isListed(commits, target, memory)) {
        throw new NoPartsError('refused', error.message)
      }
    })
    if (this.#isPart) throw error
  }

  /** Fetches a part, and refs with everything into a new mirror where the server gives no parts. */
  async #orWhole(refspecs: readonly string[], signal: AbortSignal, what: string, fetch: Way): Promise<void> {
    const { wantsPart, remote, onWhole } = this.#options
    const ways = partsOf({ wantsPart, repository: this.#repository(signal), odd: this.#odd, what }, fetch)
    try {
      await remote.reach(what, ways, signal)
    } catch (error) {
      if (!(error instanceof NoPartsError)) throw error
      await this.#replace(false, signal, async (directory) => {
        await using objects = new ObjectReader(directory)
        await this.#fetchWhole({ refspecs, near: [] }, signal, { directory, objects })
      })
      onWhole(error.reason, error.message)
    }
  }

  async #fetchWhole(
    wanted: Wanted,
    signal: AbortSignal,
    place: Pick<FetchedRepository, 'directory' | 'objects'> = this.#options,
  ): Promise<void> {
    await this.#options.remote.reach('fetch', this.#waysOf(wanted, 'whole', place), signal)
  }

  #waysOf(
    wanted: Wanted,
    scope: 'whole' | 'rest',
    place: Pick<FetchedRepository, 'directory' | 'objects'> = this.#options,
  ): Ways<void> {
    // What a mirror has of a fork may lack objects, so git may not build on it.
    const refetch = scope === 'rest' ? ['--refetch'] : []
    const flags = ['--quiet', '--no-tags', '--prune', '--no-write-fetch-head', '--no-auto-maintenance']
    return {
      builtIn: (target, memory) =>
        fetchRefs(this.#repository(target.signal, place), target, memory, { ...wanted, scope }),
      git: async ({ url: remote, credentials, addresses, signal }) => {
        const args = ['fetch', ...flags, ...refetch, '--', remote.text, ...wanted.refspecs]
        const call = { args, remote, credentials, addresses, signal, timeoutMs: transferTimeoutMs }
        await this.#options.run({ ...call, gitDirectory: place.directory })
      },
    }
  }

  async #loadTogether(requests: readonly ObjectRequest[], signal: AbortSignal): Promise<void> {
    const asked = new Set(requests.flatMap(({ oids }) => oids))
    const oids = await this.#options.objects.lacking([...asked])
    if (oids.length === 0) return
    const commits = [...new Set(requests.map(({ commit }) => commit))]
    const refspecs = commits.map(keptRefspec)
    if (!this.#isPart) return this.#fetchWhole({ refspecs, near: [] }, signal)
    try {
      await this.#orWhole(refspecs, signal, 'fetch objects', (target, memory) =>
        fetchObjects(this.#repository(target.signal), target, memory, oids),
      )
    } catch (error) {
      await this.#wholeIfRefused(error, commits, signal)
    }
  }

  async #replace(
    isPart: boolean,
    signal: AbortSignal | undefined,
    fill?: (directory: string) => Promise<void>,
  ): Promise<void> {
    const { directory, url, objects, maintained } = this.#options
    const replaced = `the copy of ${redactUrl(url)} was made again meanwhile; try again`
    const around = async (replace: () => Promise<void>): Promise<void> => {
      await maintained()
      const replaceAndForget = async (): Promise<void> => {
        await replace()
        this.#isPart = isPart
        this.#generation += 1
        for (const history of Object.values(this.#history)) history.forget()
      }
      await objects.whileReplaced(replaceAndForget, new UnavailableError(replaced))
    }
    const made = { isPart, ...(fill !== undefined && { fill }), around, signal }
    await replaceMirrorDirectory(directory, normalizeRepositoryUrl(url), made)
  }

  #repository(
    signal: AbortSignal,
    { directory, objects }: Pick<FetchedRepository, 'directory' | 'objects'> = this.#options,
  ): FetchedRepository {
    const common = { gitDirectory: directory, timeoutMs: transferTimeoutMs, signal }
    return { directory, objects, run: (args, options) => this.#options.run({ ...common, ...options, args }) }
  }
}

/** A commit, and the ref that keeps it. */
function keptRefspec(commit: string): string {
  return `+${commit}:${mirrorRef(commit)}`
}
