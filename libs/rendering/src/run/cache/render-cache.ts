import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf'
import type { CheckedObjects } from '@wadi/gates/checked-objects.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Reuse } from '@wadi/incremental/reuse.ts'
import type { Rendered } from '../render-run.ts'
import type { RepeatVerdict } from '../repeat/repeat-verdict.ts'

/** A rendered source as its file holds it. */
interface RenderEntry extends Omit<Rendered, 'record'> {
  readonly version: string
  /** The record as protobuf's JSON. */
  readonly record: JsonValue
}

/** The fields of the record that others fill in: what differs from render to render is in the verdict, and gates run after the cache. */
const foreignFields = ['random', 'findings', 'findingsLeftOut', 'gateRuns', 'coveredFindings']

/** Changes with the fields of the record, so that an entry that was written without one of them is not used. */
const entryVersion = RenderRecordSchema.fields
  .map(({ jsonName }) => jsonName)
  .filter((name) => !foreignFields.includes(name))
  .join(' ')

interface Warnings {
  readonly warnings: readonly string[]
}

/** A cache of rendered sources, or what stands for one. */
export type RenderResults = Pick<RenderCache, keyof RenderCache>

const noRenders: RenderResults = {
  read: async () => undefined,
  write: async () => undefined,
  readWarnings: async () => [],
  writeWarnings: async () => undefined,
  readVerdict: async () => undefined,
  writeVerdict: async () => undefined,
  readChecked: async () => undefined,
  writeChecked: async () => undefined,
  shrink: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
}

/** Opens the cache of rendered sources in a directory; without reuse it keeps none. */
export function openRenders(reuse: Reuse, directory: string, maxBytes: number): RenderResults {
  return reuse.store<RenderResults>(() => new RenderCache(directory, maxBytes), noRenders)
}

const sweepIntervalMs = 10 * 60_000

/**
 * Rendered sources by fingerprint, warnings on them and verdicts on how repeatable they are, one file each. Equal keys give
 * equal entries, so none goes out of date; the least recently used ones go when the directory grows over its bound.
 *
 * @internal
 */
export class RenderCache implements AsyncDisposable {
  #directory: string
  #maxBytes: number
  #stop = new AbortController()
  #sweeping: Promise<void>

  constructor(directory: string, maxBytes: number) {
    this.#directory = directory
    this.#maxBytes = maxBytes
    this.#sweeping = this.#sweep()
  }

  async read(fingerprint: string): Promise<Rendered | undefined> {
    const { version, manifests, files, record } = await this.#readEntry<RenderEntry>(fingerprint)
    if (version !== entryVersion || !manifests || !files || record === undefined) return undefined
    return { manifests, files, record: fromJson(RenderRecordSchema, record) }
  }

  async write(fingerprint: string, { manifests, files, record }: Rendered): Promise<void> {
    const message = toJson(RenderRecordSchema, record)
    await this.#writeEntry(fingerprint, {
      version: entryVersion,
      manifests,
      files,
      record: message,
    } satisfies RenderEntry)
  }

  /** The warnings on a rendered source, without the rest of it; none are written for most. */
  async readWarnings(fingerprint: string): Promise<readonly string[]> {
    return (await this.#readEntry<Warnings>(keyOf('warnings', fingerprint))).warnings ?? []
  }

  async writeWarnings(fingerprint: string, warnings: readonly string[]): Promise<void> {
    await this.#writeEntry(keyOf('warnings', fingerprint), { warnings } satisfies Warnings)
  }

  /** Returns the verdict on the sources with a `repeatKey`: if they render the same every time. */
  async readVerdict(repeatKey: string): Promise<RepeatVerdict | undefined> {
    const verdict = await this.#readEntry<RepeatVerdict>(keyOf('verdict', repeatKey))
    const { difference, suspicion, random } = verdict
    if (difference === undefined || suspicion === undefined) return undefined
    return { difference, suspicion, ...(random && { random }) }
  }

  async writeVerdict(repeatKey: string, verdict: RepeatVerdict): Promise<void> {
    await this.#writeEntry(keyOf('verdict', repeatKey), verdict)
  }

  /** Returns what gates found in a rendered source; undefined if they were not run. */
  async readChecked(key: string): Promise<CheckedObjects | undefined> {
    const entry = await this.#readEntry<CheckedObjects>(keyOf('gates', key))
    const { findings, denied, leftOut, covered = [], lastDay } = entry
    if (findings === undefined || denied === undefined || leftOut === undefined) return undefined
    return { findings, denied, leftOut, covered, ...(lastDay !== undefined && { lastDay }) }
  }

  async writeChecked(key: string, checked: CheckedObjects): Promise<void> {
    await this.#writeEntry(keyOf('gates', key), checked)
  }

  /** Removes the files that were unused for longest until the rest is within the bound; happens every ten minutes by itself. */
  async shrink(): Promise<void> {
    const names = await readdir(this.#directory, { recursive: true }).catch(() => [])
    const files: { file: string; size: number; usedAt: number }[] = []
    for (const name of names) {
      const file = join(this.#directory, name)
      const stats = await stat(file).catch(() => undefined)
      if (stats?.isFile()) files.push({ file, size: stats.size, usedAt: stats.mtimeMs })
    }
    let total = files.reduce((sum, { size }) => sum + size, 0)
    for (const { file, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (total <= this.#maxBytes) return
      await rm(file, { force: true })
      total -= size
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#sweeping
  }

  /** The members of an entry; none if it is absent, of another version, being written, or cut short when the disk was full. */
  async #readEntry<Entry>(key: string): Promise<Partial<Entry>> {
    const file = this.#file(key)
    // Most are asked for once, in vain: to look takes a tenth of the time of an error, and the directory is on this machine.
    if (!existsSync(file)) return {}
    try {
      const entry = JSON.parse(await readFile(file, 'utf8')) as Partial<Entry>
      const now = new Date()
      await utimes(file, now, now)
      return entry
    } catch {
      return {}
    }
  }

  /** Nobody else writes into the file that is made here, and no part of an entry reads as one: so it needs no other name meanwhile. */
  async #writeEntry(key: string, entry: unknown): Promise<void> {
    const file = this.#file(key)
    const text = JSON.stringify(entry)
    const write = (): Promise<void> => writeFile(file, text, { mode: 0o600, flag: 'wx' })
    await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
      else if (error.code === 'EEXIST') await rm(file, { force: true })
      else throw error
      // Who made it in between writes as new an entry.
      await write().catch((again: NodeJS.ErrnoException) => {
        if (again.code !== 'EEXIST') throw again
      })
    })
  }

  #file(key: string): string {
    return join(this.#directory, key.slice(0, 2), key.slice(2))
  }

  async #sweep(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await delay(sweepIntervalMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await this.shrink()
    }
  }
}

function keyOf(kind: 'warnings' | 'verdict' | 'gates', key: string): string {
  return createHash('sha256').update(`${kind} ${key}`).digest('hex')
}
