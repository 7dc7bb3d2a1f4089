import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'

interface Held {
  head: string
  fingerprints: Map<string, string>
}

const maxBranchesInMemory = 64

/**
 * Remembers which fingerprint each path of a branch's head was rendered from, in memory and in one file per branch. An
 * entry is valid for exactly that head, so a lost or outdated one costs a comparison of the branch and is never wrong.
 */
export class FingerprintCache {
  #directory: string
  readonly #branches = new LRUCache<string, Held>({ max: maxBranchesInMemory })

  constructor(directory: string) {
    this.#directory = directory
  }

  /** The fingerprints by path for a head; undefined when they are not known. */
  async read(key: string, head: string): Promise<Map<string, string> | undefined> {
    if (head === '') return undefined
    let held = this.#branches.get(key)
    if (held?.head !== head) held = await this.#load(key)
    if (held?.head !== head) return undefined
    this.#branches.set(key, held)
    return new Map(held.fingerprints)
  }

  /** Lets what is known of one head apply to another with the same files of Wadi's; undefined when nothing is known. */
  async move(key: string, from: string, to: string): Promise<Map<string, string> | undefined> {
    const fingerprints = await this.read(key, from)
    if (fingerprints && from !== to) await this.write(key, to, fingerprints)
    return fingerprints
  }

  async write(key: string, head: string, fingerprints: Map<string, string>): Promise<void> {
    this.#branches.set(key, { head, fingerprints: new Map(fingerprints) })
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const temporary = join(this.#directory, `.${key}.${randomUUID()}`)
    const text = JSON.stringify({ head, fingerprints: Object.fromEntries(fingerprints) })
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, join(this.#directory, `${key}.json`))
  }

  async #load(key: string): Promise<Held | undefined> {
    try {
      const text = await readFile(join(this.#directory, `${key}.json`), 'utf8')
      const { head, fingerprints } = JSON.parse(text) as {
        head: string
        fingerprints: Record<string, string>
      }
      return { head, fingerprints: new Map(Object.entries(fingerprints)) }
    } catch {
      // Missing or cut short by a full disk: the branch is compared as a whole instead.
      return undefined
    }
  }
}
