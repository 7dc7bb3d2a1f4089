import { createHash } from 'node:crypto'
import type { Resource } from '@wadi/resources/resource.ts'
import { LRUCache } from 'lru-cache'
import type { ApplicationSet } from './application-set.ts'
import type { InputVersions } from './inputs/run-inputs.ts'
import type { ParameterValues } from './params/parameter-set.ts'

/** What an ApplicationSet generated, and from what. */
export interface Generation {
  applications: readonly Resource[]
  /** All Applications as JSON. */
  bytes: number
  inputs: InputVersions
  /** Each Application by what it was rendered from, so that a new commit costs what it changes. */
  rendered: ReadonlyMap<string, Resource>
}

/** Stands for the template with that number among those of a set and the values that it is rendered with. */
export function renderKey(template: number, values: Readonly<ParameterValues>): string {
  return createHash('sha256')
    .update(JSON.stringify([template, values]))
    .digest('base64url')
}

/** Bytes of all remembered Applications as JSON. */
const maxBytes = 64 * 1024 * 1024

/** The newest generation of each ApplicationSet, as far as there is room. */
export class GeneratedMemo {
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
export function memoKey(set: ApplicationSet): string {
  const deciding = { ...set, refresh: false }
  return createHash('sha256').update(JSON.stringify(deciding)).digest('base64url')
}
