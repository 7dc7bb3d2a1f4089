import { join } from 'node:path'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { FingerprintCache } from './fingerprint-cache.ts'
import { MadeObjects } from './made-objects.ts'
import type { RunContext } from './run-context.ts'

/** Opens what a hydrator remembers of the heads of branches, in folders of a directory and in what hydrators share. */
export function openBranchCaches(
  directory: string,
  memory: SharedMemory,
): Pick<RunContext, 'fingerprints' | 'made'> {
  const cache = (noun: string) => new FingerprintCache(join(directory, `${noun}s`), memory, noun)
  return { fingerprints: cache('fingerprint'), made: new MadeObjects(cache('object')) }
}
