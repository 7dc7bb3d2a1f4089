import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip, type ZlibOptions } from 'node:zlib'
import type { Fingerprints } from '../branch-run.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { LRUCache } from 'lru-cache'
import {
  baseText,
  changesText,
  type FingerprintBase,
  type KnownFingerprints,
  newBase,
  readKnown,
} from './fingerprint-record.ts'

interface KnownHead extends KnownFingerprints {
  /** True if the base is in this process's file, and not only in the hydrators' shared memory. */
  readonly isInFile: boolean
}

const compress = promisify<string, Buffer>(gzip)
const decompress = promisify<Buffer, ZlibOptions, Buffer>(gunzip)

const maxBranchesInMemory = 64

/** The hydrators' shared memory drops entries after days, so valid ones are written again before that. */
const freshMs = 24 * 3600_000

/** A bound on what is read from the shared memory: a hundred thousand paths have fewer bytes. */
const maxTextBytes = 64 * 1024 * 1024

/**
 * Remembers which fingerprint each path of a branch's head was rendered from: in memory, in files, and in what the hydrators share, so that one
 * that has never seen a branch need not compare it. An entry is valid for exactly that head, so a lost or outdated one costs a comparison of the
 * branch and is never wrong. Stored is a base and what a later head differs in, so that a change costs what it changed. Other texts by path are
 * remembered in the same way.
 */
export class FingerprintCache {
  readonly #directory: string
  readonly #shared: SharedMemory
  readonly #noun: string
  readonly #branches = new LRUCache<string, KnownHead>({ max: maxBranchesInMemory })

  /** @param noun names what is remembered in what the hydrators share */
  constructor(directory: string, shared: SharedMemory, noun = 'fingerprint') {
    this.#directory = directory
    this.#shared = shared
    this.#noun = noun
  }

  /** The fingerprints by path for a head; undefined when they are not known. */
  async read(key: string, head: string): Promise<Fingerprints | undefined> {
    if (head === '') return undefined
    let known = this.#branches.get(key)
    if (known?.head !== head) known = await this.#load(key)
    if (known?.head !== head) known = await this.#recall(key)
    if (known?.head !== head) return undefined
    this.#branches.set(key, known)
    return known.fingerprints
  }

  /** Returns the fingerprints of a head, or of the one with the same files of Wadi's below other people's commits; undefined when they are not known. */
  async readHead(key: string, head: string, sameAs: string): Promise<Fingerprints | undefined> {
    const found = await this.read(key, head)
    if (found) return found
    const same = await this.read(key, sameAs)
    if (same) await this.write(key, head, same)
    return same
  }

  /** Remembers what a head was rendered from. What was written within a day, as for a dry commit that changes nothing, is not written again. */
  async write(key: string, head: string, fingerprints: Fingerprints): Promise<void> {
    const known = this.#branches.get(key)
    const base = known?.base
    const isFresh = base !== undefined && Math.abs(Date.now() - base.at) < freshMs
    const isKnown = known?.head === head && fingerprints.differingFrom(known.fingerprints).length === 0
    if (isFresh && isKnown) return
    const now = { head, fingerprints }
    // Until all is written there is no base, so that after an error the next write makes one.
    this.#branches.set(key, { ...now, base: undefined, isInFile: false })
    const changes = isFresh ? changesText(base, head, fingerprints) : undefined
    const written =
      isFresh && changes !== undefined
        ? await this.#writeChanges(key, changes, { base, isInFile: known?.isInFile === true })
        : await this.#writeBase(key, newBase(head, fingerprints))
    this.#branches.set(key, { ...now, base: written, isInFile: true })
  }

  async #writeChanges(
    key: string,
    changes: string,
    { base, isInFile }: { base: FingerprintBase; isInFile: boolean },
  ): Promise<FingerprintBase> {
    if (!isInFile) await this.#writeFile(`${key}.json`, baseText(base))
    await this.#writeFile(`${key}.changes.json`, changes)
    await this.#shared.remember(this.#sharedChanges(key), await compress(changes))
    return base
  }

  async #writeBase(key: string, base: FingerprintBase): Promise<FingerprintBase> {
    const text = baseText(base)
    await this.#writeFile(`${key}.json`, text)
    await this.#shared.remember(this.#sharedBase(key), await compress(text))
    return base
  }

  async #writeFile(name: string, text: string): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const temporary = join(this.#directory, `.${name}.${randomUUID()}`)
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, join(this.#directory, name))
  }

  async #load(key: string): Promise<KnownHead | undefined> {
    const [base, changes] = [
      join(this.#directory, `${key}.json`),
      join(this.#directory, `${key}.changes.json`),
    ]
    try {
      const later = await readFile(changes, 'utf8').catch(() => undefined)
      return { ...readKnown(await readFile(base, 'utf8'), later), isInFile: true }
    } catch {
      // Missing or cut short by a full disk: the branch is compared as a whole instead.
      return undefined
    }
  }

  async #recall(key: string): Promise<KnownHead | undefined> {
    const [base, changes] = await Promise.all(
      [this.#sharedBase(key), this.#sharedChanges(key)].map((name) => this.#shared.recall(name)),
    )
    if (base === undefined) return undefined
    try {
      const later = changes && (await textOf(changes).catch(() => undefined))
      return { ...readKnown(await textOf(base), later), isInFile: false }
    } catch {
      return undefined
    }
  }

  #sharedBase(key: string): string {
    return `${this.#noun}s:${key}`
  }

  #sharedChanges(key: string): string {
    return `${this.#noun}-changes:${key}`
  }
}

async function textOf(value: Buffer): Promise<string> {
  return (await decompress(value, { maxOutputLength: maxTextBytes })).toString()
}
