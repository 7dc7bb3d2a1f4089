import { setImmediate as nextTurn } from 'node:timers/promises'
import { CoalescingQueue } from '@wadi/concurrency/coalescing-queue.ts'
import { NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import type { GitResult, RunGitOptions } from '../process/run-git.ts'
import { normalizeRepositoryUrl } from '../remote/repository-identity.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import type { ServerMemory } from '../smart-http/server-memory.ts'
import { fetchRefs } from './fetch-refs.ts'
import type { FetchedRepository } from './fetch-refs.ts'
import { History } from './history.ts'
import { replaceMirrorDirectory } from './mirror-directory.ts'
import { mirrorRef } from './mirror-ref.ts'
import { fetchObjects, NoPartsError, partsOf, unavailable } from './parts.ts'
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
}

/** Objects of a commit that somebody waits for. */
type ObjectRequest = { commit: string; oids: readonly string[]; done: PromiseWithResolvers<void> }

/** The refs to fetch, as `fetchRefs` takes them. */
type Wanted = { refspecs: readonly string[]; near: readonly string[] }

/**
 * Brings objects into a mirror, one fetch at a time. A mirror that may lack objects has the commits and trees of its refs, and the rest
 * when it is asked for. It becomes a whole one where the server gives no parts.
 */
export class MirrorFetches {
  readonly #options: FetchesOptions
  readonly #queue = new CoalescingQueue('git fetch')
  readonly #history: History
  #isPart: boolean
  #waiting: ObjectRequest[] = []

  constructor(options: FetchesOptions) {
    this.#options = options
    this.#isPart = options.isPart
    this.#history = new History(this.#repository(options.signal()))
  }

  /** True if the mirror may lack objects. */
  get isPart(): boolean {
    return this.#isPart
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
    const request = { commit, oids, done: Promise.withResolvers<void>() }
    this.#waiting.push(request)
    const { promise } = request.done
    promise.catch(() => undefined)
    await this.#inTurn('objects', async (signal) => {
      // What is asked for in the same turn comes along.
      await nextTurn()
      await this.#loadWaiting(this.#waiting.splice(0), signal)
    })
    await unavailable('it', this.#options.url, () => promise)
  }

  /**
   * Makes sure that the mirror has every commit that some commits are built on.
   * @throws UnavailableError with the cause if the server does not give them now
   */
  async completeHistory(shas: readonly string[], signal?: AbortSignal): Promise<void> {
    if (!this.#isPart || (await this.#history.hasAll(shas))) return
    const ways = partsOf(this.#options, (...at) => this.#history.fetch(shas, ...at))
    const refspecs = shas.length > maxNamed ? everything : shas.map(keptRefspec)
    const fetch = (whole: AbortSignal): Promise<void> =>
      this.#orWhole(refspecs, whole, (remote) => remote.reach('fetch history', ways, whole))
    const what = `the history of commit ${shas.slice(0, maxNamed).join(', ')}`
    await this.#inTurn(
      `history\n${shas.join('\n')}`,
      (whole) => unavailable(what, this.#options.url, () => fetch(whole)),
      signal,
    )
  }

  /** True if every commit that a commit is built on is in the mirror, and the commit itself. */
  async hasHistory(sha: string): Promise<boolean> {
    return this.#history.hasAll([sha])
  }

  /** See `Mirror.recreate`. */
  async recreate(signal?: AbortSignal): Promise<void> {
    await this.#queue.run('recreate', async () => this.#replace(this.#options.wantsPart, signal), signal)
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

  async #fetchPart(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const fetch = (target: RemoteTarget, memory: ServerMemory): Promise<void> =>
      fetchRefs(this.#repository(target.signal), target, memory, { ...wanted, scope: 'tips' })
    const reach = (remote: Remote): Promise<void> =>
      remote.reach('fetch', partsOf(this.#options, fetch), signal)
    try {
      await this.#orWhole(wanted.refspecs, signal, reach)
    } catch (error) {
      if (!(error instanceof NotFoundError) || !(await this.#knowsCommits(wanted))) throw error
      // The server gives commits with the branches and tags that lead to them, and not by name.
      await this.#orWhole(everything, signal, () => Promise.reject(new NoPartsError(error.message)))
    }
  }

  /** True if objects are wanted by name whose commits are here, so that the remote has them. */
  async #knowsCommits({ refspecs }: Wanted): Promise<boolean> {
    const { objects } = this.#options
    const known = refspecs.map(
      async (name) => isObject(name) && (await objects.resolve(`${name}^{commit}`)) !== undefined,
    )
    return (await Promise.all(known)).every(Boolean)
  }

  /** Fetches a part, and refs with everything into a new mirror where the server gives no parts. */
  async #orWhole(
    refspecs: readonly string[],
    signal: AbortSignal,
    fetch: (remote: Remote) => Promise<void>,
  ): Promise<void> {
    try {
      await fetch(this.#options.remote)
    } catch (error) {
      if (!(error instanceof NoPartsError)) throw error
      await this.#replace(false, signal, async (directory) => {
        await using objects = new ObjectReader(directory)
        await this.#fetchWhole({ refspecs, near: [] }, signal, { directory, objects })
      })
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

  async #loadWaiting(requests: readonly ObjectRequest[], signal: AbortSignal): Promise<void> {
    if (requests.length === 0) return
    try {
      await this.#loadTogether(requests, signal)
      for (const { done } of requests) done.resolve()
    } catch (error) {
      const [only, ...others] = requests
      if (only !== undefined && (others.length === 0 || !(error instanceof NotFoundError))) {
        for (const { done } of requests) done.reject(error)
        return
      }
      // One of them is not there any more; that is no reason for the others to fail.
      for (const request of requests) await this.#loadWaiting([request], signal)
    }
  }

  async #loadTogether(requests: readonly ObjectRequest[], signal: AbortSignal): Promise<void> {
    const oids = [...new Set(requests.flatMap((request) => request.oids))]
    const load = (target: RemoteTarget, memory: ServerMemory): Promise<void> =>
      fetchObjects(this.#repository(target.signal), target, memory, oids)
    const commits = [...new Set(requests.map(({ commit }) => commit))]
    await this.#orWhole(commits.map(keptRefspec), signal, (remote) =>
      remote.reach('fetch objects', partsOf(this.#options, load), signal),
    )
  }

  async #replace(
    isPart: boolean,
    signal: AbortSignal | undefined,
    fill?: (directory: string) => Promise<void>,
  ): Promise<void> {
    const { directory, url, objects } = this.#options
    const fillAndClose = async (unfinished: string): Promise<void> => {
      await fill?.(unfinished)
      await objects.close()
    }
    const made = { isPart, fill: fillAndClose, signal }
    await replaceMirrorDirectory(directory, normalizeRepositoryUrl(url), made)
    this.#isPart = isPart
    this.#history.forget()
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
