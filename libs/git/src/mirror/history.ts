import { LRUCache } from 'lru-cache'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { listRefs } from '../smart-http/list-refs.ts'
import { OddAnswerError } from '../smart-http/pkt-line.ts'
import type { ServerMemory } from '../smart-http/server-memory.ts'
import { readCommitMetadata } from '../commit/commit-metadata.ts'
import { type FetchedRepository, historyRef, requestPack, treesRef } from './fetch-refs.ts'

const listed = ['refs/heads/', 'refs/tags/']

/** So many commits are looked at one by one, which starts no program, before git walks. */
const maxNear = 16

/** As many commits are known to be in no branch or tag, so long. */
const maxUnlisted = 1_000
const unlistedMs = 10 * 60_000

/** The objects that a history consists of: its commits, or these with their trees. */
export type Depth = 'commits' | 'trees'

/** The way to fetch and to walk each kind of history, and where it ended. */
const depths = {
  commits: { filter: 'filter tree:0', walk: ['--quiet'], ref: historyRef },
  trees: { filter: 'filter blob:none', walk: ['--quiet', '--objects', '--filter=blob:none'], ref: treesRef },
} as const

/** The histories of a mirror, which are fetched by themselves. */
export type Histories = Readonly<Record<Depth, History>>

/** Opens the histories of a mirror that may lack objects. */
export function openHistories(repository: FetchedRepository): Histories {
  return { commits: new History(repository, 'commits'), trees: new History(repository, 'trees') }
}

/** Which commits have their whole history in a mirror that may lack objects. A walk may begin at these alone. */
class History {
  readonly #repository: FetchedRepository
  readonly #depth: (typeof depths)[Depth]
  readonly #complete = new Set<string>()
  readonly #unlisted = new LRUCache<string, true>({ max: maxUnlisted, ttl: unlistedMs })

  constructor(repository: FetchedRepository, depth: Depth) {
    this.#repository = repository
    this.#depth = depths[depth]
  }

  /** Forgets what is complete, as the mirror was made again. */
  forget(): void {
    this.#complete.clear()
  }

  /** True if every commit that some commits or tags are built on is there, and they themselves. */
  async hasAll(shas: readonly string[]): Promise<boolean> {
    const unknown = shas.filter((sha) => !this.#complete.has(sha))
    if (unknown.length === 0) return true
    const known = await this.#known()
    const near = this.#depth === depths.commits ? await this.#missingCommits(unknown, maxNear) : undefined
    if (near === undefined ? !(await this.#isWalkable(unknown, known)) : near.length > 0) return false
    for (const sha of unknown) this.#complete.add(sha)
    return true
  }

  /** Fetches what is missing. @throws as `fetchPack` */
  async fetch(shas: readonly string[], target: RemoteTarget, memory: ServerMemory): Promise<void> {
    const known = await this.#known()
    const unknown = shas.filter((sha) => !this.#complete.has(sha))
    if (unknown.length === 0) return
    const missing =
      this.#depth === depths.commits
        ? await this.#missingCommits(unknown, Number.POSITIVE_INFINITY)
        : undefined
    // Commits that were built here and not pushed yet are not known to the server; those that they are built on are.
    const wants = missing === undefined || missing.length === 0 ? unknown : missing
    const request = { wants, moreHaves: async () => [], limits: [this.#depth.filter], isThin: false }
    const fetch = async (haves: string[]): Promise<boolean> => {
      await requestPack(this.#repository, target, memory, { ...request, haves }, false)
      return this.hasAll(shas)
    }
    const isComplete = (await fetch(known === undefined ? [] : [known])) || (await fetch([]))
    if (!isComplete) throw new OddAnswerError('the answer lacks commits')
    const [newest] = unknown
    if (newest !== undefined)
      await this.#repository.run(['update-ref', '--no-deref', this.#depth.ref, newest])
  }

  /** The nearest commits below some commits or tags that are not there, or these; undefined if more than `max` are between, or one is none. */
  async #missingCommits(from: readonly string[], max: number): Promise<string[] | undefined> {
    const { objects } = this.#repository
    const missing: string[] = []
    const found = new Set<string>()
    for (const name of from) {
      const commit = await objects.resolve(`${name}^{commit}`)
      if (commit !== undefined) found.add(commit)
      else if ((await objects.resolve(name)) === undefined) missing.push(name)
      else return undefined
    }
    for (const sha of found) {
      if (this.#complete.has(sha)) continue
      if (found.size > max) return undefined
      if ((await objects.resolve(sha)) === undefined) missing.push(sha)
      else for (const parent of (await readCommitMetadata(objects, sha)).parents) found.add(parent)
    }
    return missing
  }

  /**
   * Tells whether branches and tags that the server has now lead to all of some commits. Their history comes along.
   * @throws as `fetchPack`
   */
  async isListed(commits: readonly string[], target: RemoteTarget, memory: ServerMemory): Promise<boolean> {
    const { refs } = await listRefs(target, memory, listed)
    const named = [...refs].filter(([name]) => listed.some((prefix) => name.startsWith(prefix)))
    const tips = [...new Set(named.map(([, object]) => object))]
    if (!(await this.hasAll(tips))) await this.fetch(tips, target, memory)
    const input = [...commits, ...tips.map((tip) => `^${tip}`)].map((line) => `${line}\n`).join('')
    const { exitCode, stdout } = await this.#repository.run(['rev-list', '--max-count=1', '--stdin'], {
      input,
      acceptExitCodes: [0, 128],
    })
    // Git fails where the mirror lacks objects, which says nothing of the server.
    if (exitCode !== 0) return false
    const isListed = stdout.length === 0
    const [only, ...others] = commits
    if (!isListed && only !== undefined && others.length === 0) this.#unlisted.set(only, true)
    return isListed
  }

  /** True if `isListed` found some minutes ago that one of some commits is deleted at the server. */
  wasUnlisted(commits: readonly string[]): boolean {
    return commits.some((commit) => this.#unlisted.has(commit))
  }

  /** The commit of the ref, if it is there with its history; looked at once, as a damaged mirror may have lost some. */
  async #known(): Promise<string | undefined> {
    const known = await this.#repository.objects.resolve(`${this.#depth.ref}^{commit}`)
    if (known === undefined || this.#complete.has(known)) return known
    if (!(await this.#isWalkable([known]))) return undefined
    this.#complete.add(known)
    return known
  }

  async #isWalkable(from: readonly string[], to?: string): Promise<boolean> {
    const input = [...from, ...(to === undefined ? [] : [`^${to}`])].map((line) => `${line}\n`).join('')
    const { exitCode } = await this.#repository.run(['rev-list', ...this.#depth.walk, '--stdin'], {
      input,
      acceptExitCodes: [0, 128],
    })
    return exitCode === 0
  }
}
