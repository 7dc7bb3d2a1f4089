import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { CorruptMirrorError } from '@wadi/git/process/git-failure.ts'
import { openMirror, type Mirror } from '@wadi/git/mirror/mirror.ts'
import { removeMirrorDirectory, touchMirrorDirectory } from '@wadi/git/mirror/mirror-directory.ts'
import type { GitFetch, WholeReason } from '@wadi/git/mirror/parts.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { parseRepositoryUrl, type UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { HttpClient } from '@wadi/git/smart-http/http-client.ts'
import { hostAndPort, type NetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { MirrorDisk, type RemovedMirror } from './mirror-disk.ts'
import { namesHost } from './named-hosts.ts'
import { selectSecret } from './repository-credentials.ts'
import type { RepositoryStore } from './repository-store.ts'

const maintenanceIntervalMs = 60 * 60_000
/** A use is kept on disk, for a later process, not more often than this. */
const touchIntervalMs = 60_000

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
  /** The most bytes of all mirrors together; by default as many as the disk has. */
  maxBytes?: number | undefined
  /** Called when a mirror was removed that took room which others need. */
  onRemoved?: ((removed: RemovedMirror) => void) | undefined
}

/** Takes the URL of a repository of which everything was fetched, and why. */
export type OnWhole = (url: string, reason: WholeReason, message: string) => void

/** A mirror that stays on disk until this is disposed. */
export interface MirrorLease extends Disposable {
  readonly mirror: Mirror
}

interface HeldMirror {
  readonly mirror: Promise<Mirror>
  uses: number
  usedAt: number
  touchedAt: number
}

/**
 * The bare mirrors of one service, each opened once and kept open until another one needs its room. A repository that is reached
 * with a project's own credentials has a mirror of its own, so no other project can read through it.
 */
export class MirrorPool implements AsyncDisposable {
  readonly #options: MirrorPoolOptions
  readonly #held = new Map<string, HeldMirror>()
  /** The mirrors that are being removed; they are opened again afterwards. */
  readonly #removing = new Map<string, Promise<void>>()
  readonly #maintenance: NodeJS.Timeout
  #lastUse = 0
  /** The room that the mirrors take. */
  readonly disk: MirrorDisk

  constructor(options: MirrorPoolOptions) {
    this.#options = options
    this.#maintenance = setInterval(() => void this.#maintain(), maintenanceIntervalMs).unref()
    const { directory, maxBytes = Infinity, onRemoved } = options
    const remove = (name: string): Promise<boolean> => this.#remove(name)
    this.disk = new MirrorDisk({ directory, maxBytes, opened: this.#held, remove, onRemoved })
  }

  /**
   * Opens a mirror for as long as the lease is held.
   * @throws InvalidInputError for a URL that the policy refuses
   */
  async lease(url: string, project: string): Promise<MirrorLease> {
    const { policy, repositories } = this.#options
    const { text } = parseRepositoryUrl(url, policy)
    const select = async () => selectSecret(await repositories.list(), text, project)
    const owner = (await select())?.project ?? ''
    const key = createHash('sha256')
      .update(`${normalizeRepositoryUrl(text)}\n${owner}`)
      .digest('hex')
    const name = `${key.slice(0, 40)}.git`
    while (this.#removing.has(name)) await this.#removing.get(name)
    let held = this.#held.get(name)
    if (held === undefined) {
      held = { mirror: this.#open(name, text, project, select), uses: 0, usedAt: Date.now(), touchedAt: 0 }
      this.#held.set(name, held)
    }
    return this.#use(name, held)
  }

  async #use(name: string, held: HeldMirror): Promise<MirrorLease> {
    held.uses += 1
    const release = (): void => {
      held.uses -= 1
      // Two uses in one millisecond have an order, too.
      held.usedAt = this.#lastUse = Math.max(Date.now(), this.#lastUse + 1)
      if (held.usedAt - held.touchedAt > touchIntervalMs) {
        held.touchedAt = held.usedAt
        void touchMirrorDirectory(join(this.#options.directory, name)).catch(ignore)
      }
      this.disk.used(name)
    }
    try {
      const mirror = await held.mirror
      return { mirror, [Symbol.dispose]: release }
    } catch (error) {
      if (this.#held.get(name) === held) this.#held.delete(name)
      throw error
    }
  }

  #open(
    name: string,
    url: string,
    project: string,
    select: () => Promise<ReturnType<typeof selectSecret>>,
  ): Promise<Mirror> {
    const { directory, policy, network, repositories, httpClient, gitFetch, onWhole } = this.#options
    return openMirror({
      directory: join(directory, name),
      url,
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
      onDiskFull: () => void this.disk.makeRoom(name).catch(ignore),
      ...(httpClient !== undefined && { httpClient }),
      ...(gitFetch !== undefined && { gitFetch }),
      ...(onWhole !== undefined && { onWhole: (reason, message) => onWhole(url, reason, message) }),
    })
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
    using lease = await this.lease(url, project)
    const { mirror } = lease
    const { generation } = mirror
    try {
      return await task(mirror)
    } catch (error) {
      if (!(await this.heal(mirror, error, generation))) throw error
      return await task(mirror)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#maintenance)
    await this.disk[Symbol.asyncDispose]()
    for (const mirror of await this.#opened()) await mirror[Symbol.asyncDispose]()
    this.#held.clear()
  }

  async #opened(): Promise<Mirror[]> {
    const mirrors = await Promise.allSettled([...this.#held.values()].map(({ mirror }) => mirror))
    return mirrors.flatMap((mirror) => (mirror.status === 'fulfilled' ? [mirror.value] : []))
  }

  /** Packs what fetches and commits left behind; a mirror that cannot be packed now is packed the next time. */
  async #maintain(): Promise<void> {
    for (const mirror of await this.#opened()) await mirror.maintain().catch(() => undefined)
    await this.disk.keepLimit().catch(() => undefined)
  }

  async #remove(name: string): Promise<boolean> {
    const held = this.#held.get(name)
    if ((held?.uses ?? 0) > 0) return false
    this.#held.delete(name)
    const remove = async (): Promise<void> => {
      const mirror = await held?.mirror.catch(() => undefined)
      await mirror?.[Symbol.asyncDispose]()
      await removeMirrorDirectory(join(this.#options.directory, name))
    }
    const removed = remove()
    const done = removed.then(ignore, ignore).finally(() => this.#removing.delete(name))
    this.#removing.set(name, done)
    await removed
    return true
  }
}

function ignore(): void {
  // It is tried again, or who opens the mirror finds out what is left of it.
}
