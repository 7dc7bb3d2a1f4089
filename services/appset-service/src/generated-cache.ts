import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ApplicationSet } from '@wadi/application-sets/application-set.ts'
import type { InputVersions } from '@wadi/application-sets/inputs/run-inputs.ts'
import type { GeneratedApplications } from '@wadi/application-sets/generate-applications.ts'

/** The result of generating an ApplicationSet, and the versions of its inputs. */
export interface Generation extends GeneratedApplications {
  inputs: InputVersions
}

/** Bytes of all remembered Applications as JSON. */
const maxBytes = 64 * 1024 * 1024

/** The newest generation of each ApplicationSet, as far as there is room. */
export class GeneratedCache {
  readonly #generations = new LRUCache<string, Generation>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 2,
    sizeCalculation: ({ bytes }, key) => bytes + key.length,
  })

  /** The generation of a set that reads exactly like this one. */
  get(key: string): Generation | undefined {
    return this.#generations.get(key)
  }

  /** One that is larger than half of the room is not kept. */
  set(key: string, generation: Generation): void {
    this.#generations.set(key, generation)
  }
}

/** The key of an ApplicationSet: equal for those that generate the same from the same inputs. */
export function cacheKey(set: ApplicationSet): string {
  const deciding = { ...set, refresh: false }
  return createHash('sha256').update(JSON.stringify(deciding)).digest('base64url')
}
