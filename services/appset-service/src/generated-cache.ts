import { createHash } from 'node:crypto'
import type { ApplicationSet } from '@wadi/application-sets/application-set.ts'
import type { InputVersions } from '@wadi/application-sets/inputs/run-inputs.ts'
import type { GeneratedApplications } from '@wadi/application-sets/generate-applications.ts'
import type { Results, Reuse } from '@wadi/incremental/reuse.ts'

/** The result of generating an ApplicationSet, and the versions of its inputs. */
interface Generation extends GeneratedApplications {
  inputs: InputVersions
}

/** The newest generations of ApplicationSets, by the keys of the sets. */
export type GeneratedCache = Results<string, Generation>

/** Bytes of all cached Applications as JSON. */
const maxBytes = 64 * 1024 * 1024

/** Opens the cache of generations, which keeps none without reuse. */
export function openGeneratedCache(reuse: Reuse): GeneratedCache {
  return reuse.byKey(maxBytes, ({ bytes }) => bytes + 1)
}

/** The key of an ApplicationSet: equal for those that generate the same from the same inputs. */
export function cacheKey(set: ApplicationSet): string {
  const deciding = { ...set, refresh: false }
  return createHash('sha256').update(JSON.stringify(deciding)).digest('base64url')
}
