import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedLock } from '@wadi/concurrency/keyed-lock.ts'
import { readMirrorUse } from '@wadi/git/mirror/mirror-directory.ts'

/** A mirror that a service has open. */
interface OpenedMirror {
  /** The number of tasks that work with it now. */
  readonly uses: number
  /** The time of its last use, as `Date.now()` says it. */
  readonly usedAt: number
}

/** A mirror that was removed from the disk. */
export interface RemovedMirror {
  /** Normalised; empty for what was not finished. */
  readonly url: string
  readonly bytes: number
  /** The limit was exceeded, or the disk was full. */
  readonly reason: 'limit' | 'full'
}

interface MirrorDiskOptions {
  directory: string
  /** The most bytes of all mirrors together; infinite for as many as the disk has. */
  maxBytes: number
  /** Those that are open, by the names of their directories. */
  opened: ReadonlyMap<string, OpenedMirror>
  /** Closes and removes a mirror, unless it is used; returns whether it did. */
  remove: (name: string) => Promise<boolean>
  onRemoved?: ((removed: RemovedMirror) => void) | undefined
}

interface StoredMirror {
  name: string
  url: string
  bytes: number
  usedAt: number
}

/** The uses of so short a time are measured together. */
const measurePauseMs = 1_000
/** A mirror that is removed so soon after its last use is probably fetched again. */
const soonMs = 60 * 60_000

/** The mirrors of a service on disk. The least recently used go where they take too much room; one that is used now stays. */
export class MirrorDisk implements AsyncDisposable {
  readonly #options: MirrorDiskOptions
  /** The bytes of those that were not used since they were measured. */
  readonly #measured = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  /** Held while mirrors are measured and removed. */
  readonly #turns = createKeyedLock()
  #inUse = 0
  #removedSoonAt = -Infinity

  constructor(options: MirrorDiskOptions) {
    this.#options = options
  }

  /** Takes note of the end of a use, which may have written to a mirror. */
  used(name: string): void {
    this.#measured.delete(name)
    if (this.#options.maxBytes === Infinity) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.keepLimit().catch(() => undefined)
    }, measurePauseMs).unref()
  }

  /** Returns the bytes of all mirrors. */
  async bytes(): Promise<number> {
    return sum(await this.#stored())
  }

  /** Removes the least recently used mirrors until all together are within the limit. */
  async keepLimit(): Promise<void> {
    const { maxBytes } = this.#options
    if (maxBytes === Infinity) return
    await this.#inTurn(async () => {
      const stored = await this.#stored()
      let bytes = sum(stored)
      for (const mirror of stored) {
        if (bytes <= maxBytes) break
        if (await this.#remove(mirror, 'limit')) bytes -= mirror.bytes
      }
      this.#inUse = bytes
    })
  }

  /** Removes the least recently used mirror, as the disk is full for another one, which stays. */
  async makeRoom(wanted: string): Promise<void> {
    await this.#inTurn(async () => {
      const others = (await this.#stored()).filter(({ name }) => name !== wanted)
      for (const mirror of others) if (await this.#remove(mirror, 'full')) return
    })
  }

  /** The problem of a limit that is too small for what is used. */
  warning(): string | undefined {
    const { maxBytes } = this.#options
    if (this.#inUse > maxBytes) {
      return `the copies of repositories in use take ${mebibytes(this.#inUse)}, more than WADI_GIT_DISK_LIMIT (${mebibytes(maxBytes)}); raise it`
    }
    if (Date.now() - this.#removedSoonAt > soonMs) return undefined
    return 'copies of repositories were removed within an hour of their last use, to keep WADI_GIT_DISK_LIMIT, and are fetched again; raise it'
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    await this.#inTurn(() => Promise.resolve())
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#turns.run('disk', work)
  }

  async #remove(
    { name, url, bytes, usedAt }: StoredMirror,
    reason: RemovedMirror['reason'],
  ): Promise<boolean> {
    if (!(await this.#options.remove(name))) return false
    this.#measured.delete(name)
    if (reason === 'limit' && Date.now() - usedAt < soonMs) this.#removedSoonAt = Date.now()
    this.#options.onRemoved?.({ url, bytes, reason })
    return true
  }

  /** The mirrors with what a killed process left beside them, the least recently used first. */
  async #stored(): Promise<StoredMirror[]> {
    const { directory, opened } = this.#options
    const found = await readdir(directory).catch(() => [])
    const names = new Set(
      found.map((name) => /^[0-9a-f]+\.git/.exec(name)?.[0]).filter((name) => name !== undefined),
    )
    const stored: StoredMirror[] = []
    for (const name of names) {
      const now = opened.get(name)
      const start = now?.usedAt
      const bytes =
        this.#measured.get(name) ?? (await this.#measure(found.filter((each) => each.startsWith(name))))
      const { url = '', usedAt = 0 } = (await readMirrorUse(join(directory, name))) ?? {}
      if ((now?.uses ?? 0) === 0 && now?.usedAt === start) this.#measured.set(name, bytes)
      stored.push({ name, url, bytes, usedAt: now?.usedAt ?? usedAt })
    }
    return stored.toSorted((a, b) => a.usedAt - b.usedAt)
  }

  async #measure(names: readonly string[]): Promise<number> {
    let bytes = 0
    for (const name of names) bytes += await bytesBelow(join(this.#options.directory, name))
    return bytes
  }
}

/** Files that go meanwhile have no bytes. */
async function bytesBelow(directory: string): Promise<number> {
  const files = await readdir(directory, { recursive: true }).catch(() => [])
  const sizes = files.map((file) =>
    stat(join(directory, file)).then(
      ({ blocks }) => blocks * 512,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((bytes, size) => bytes + size, 0)
}

function sum(stored: readonly StoredMirror[]): number {
  return stored.reduce((bytes, mirror) => bytes + mirror.bytes, 0)
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`
}
