import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { CorruptMirrorError } from '@wadi/git/process/git-failure.ts'
import { openMirror, type GitFetch, type Mirror } from '@wadi/git/mirror/mirror.ts'
import type { WholeReason } from '@wadi/git/mirror/parts.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { parseRepositoryUrl, type UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { HttpClient } from '@wadi/git/smart-http/http-client.ts'
import { hostAndPort, type NetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { namesHost } from './named-hosts.ts'
import { selectSecret } from './repository-credentials.ts'
import type { RepositoryStore } from './repository-store.ts'

const maintenanceIntervalMs = 60 * 60_000

interface MirrorPoolOptions {
  directory: string
  policy: UrlPolicy
  network: NetworkPolicy
  repositories: RepositoryStore
  /** The client for repositories behind http and https. */
  httpClient?: HttpClient
  /** The objects that mirrors fetch; everything by default. */
  gitFetch?: GitFetch
  /** Called when everything was fetched of a repository although what is needed would do. */
  onWhole?: OnWhole | undefined
}

/** Takes the URL of a repository of which everything was fetched, and why. */
export type OnWhole = (url: string, reason: WholeReason, message: string) => void

/**
 * The bare mirrors of one service, each opened once and kept open. A repository that is reached with a project's own
 * credentials has a mirror of its own, so no other project can read through it.
 */
export class MirrorPool implements AsyncDisposable {
  #options: MirrorPoolOptions
  #mirrors = new Map<string, Promise<Mirror>>()
  #maintenance: NodeJS.Timeout

  constructor(options: MirrorPoolOptions) {
    this.#options = options
    this.#maintenance = setInterval(() => void this.#maintain(), maintenanceIntervalMs).unref()
  }

  /** @throws InvalidInputError for a URL that the policy refuses. */
  async open(url: string, project: string): Promise<Mirror> {
    const { directory, policy, network, repositories, httpClient, gitFetch, onWhole } = this.#options
    const { text } = parseRepositoryUrl(url, policy)
    const select = async () => selectSecret(await repositories.list(), text, project)
    const owner = (await select())?.project ?? ''
    const key = createHash('sha256')
      .update(`${normalizeRepositoryUrl(text)}\n${owner}`)
      .digest('hex')
      .slice(0, 40)
    const known = this.#mirrors.get(key)
    if (known) return known
    const opening = openMirror({
      directory: join(directory, `${key}.git`),
      url: text,
      policy,
      credentials: async () => {
        const secret = await select()
        return {
          ...(secret && (await repositories.credentialsOf(secret))),
          advice: repositories.signInAdvice(secret),
        }
      },
      trustOf: async (remote) => repositories.trustFor(hostAndPort(remote).host),
      addressesOf: async (remote) =>
        network.addressesOf(remote, namesHost(await repositories.list(), remote, project)),
      ...(httpClient !== undefined && { httpClient }),
      ...(gitFetch !== undefined && { gitFetch }),
      ...(onWhole !== undefined && { onWhole: (reason, message) => onWhole(text, reason, message) }),
    })
    this.#mirrors.set(key, opening)
    opening.catch(() => this.#mirrors.delete(key))
    return opening
  }

  /**
   * Throws a mirror away whose files are damaged, so that the next use fetches again. Returns whether it was.
   * @param error what a use of the mirror threw
   * @param generation that of the mirror when the use began
   */
  async heal(mirror: Mirror, error: unknown, generation: number): Promise<boolean> {
    if (!(error instanceof CorruptMirrorError)) return false
    await mirror.recreate(generation)
    return true
  }

  /** Works with a mirror; on damaged files once more with a new one. */
  async use<T>(url: string, project: string, task: (mirror: Mirror) => Promise<T>): Promise<T> {
    const mirror = await this.open(url, project)
    const { generation } = mirror
    try {
      return await task(mirror)
    } catch (error) {
      if (!(await this.heal(mirror, error, generation))) throw error
      return task(mirror)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#maintenance)
    const mirrors = await Promise.allSettled(this.#mirrors.values())
    this.#mirrors.clear()
    for (const mirror of mirrors) {
      if (mirror.status === 'fulfilled') await mirror.value[Symbol.asyncDispose]()
    }
  }

  /** Packs what fetches and commits left behind; a mirror that cannot be packed now is packed the next time. */
  async #maintain(): Promise<void> {
    for (const mirror of await Promise.allSettled(this.#mirrors.values())) {
      if (mirror.status === 'fulfilled') await mirror.value.maintain().catch(() => undefined)
    }
  }
}
