import { LRUCache } from 'lru-cache'
import type { PolicyFile } from '../gate.ts'
import { type LocatedObject, readLocatedObjects } from '../located-objects.ts'

const known = new LRUCache<string, readonly LocatedObject[]>({ max: 8 })

/**
 * Reads the objects of policy files: policies, bindings, and what policies take as parameters. What comes again is kept.
 * @throws InvalidInputError for a file that is not YAML, ResourceExhaustedError above its limits
 */
export function readPolicies(files: readonly PolicyFile[]): readonly LocatedObject[] {
  const key = JSON.stringify(files)
  const documents = known.get(key) ?? files.flatMap(({ file, text }) => readLocatedObjects(file, text))
  known.set(key, documents)
  return documents
}
