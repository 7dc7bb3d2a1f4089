import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** A hydration of an Application that somebody else wrote into its status. */
export interface ForeignOperation {
  /** As the API server calls who wrote it, such as `argocd-application-controller`. */
  readonly manager: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/**
 * Reads who else than Wadi wrote `status.sourceHydrator.currentOperation`; the store of a cluster names him. An operation from before the
 * Application was created came with it, from a backup or another cluster, and nobody works here who began it.
 */
export function foreignOperationOf({ metadata, status }: Resource): ForeignOperation | undefined {
  const entries = metadata['managedFields']
  const entry: unknown = Array.isArray(entries) ? entries[0] : undefined
  const manager = isJsonObject(entry) ? entry['manager'] : undefined
  const hydrator = status?.['sourceHydrator']
  const operation = isJsonObject(hydrator) ? hydrator['currentOperation'] : undefined
  const startedAt = isJsonObject(operation) ? Date.parse(String(operation['startedAt'])) : NaN
  if (typeof manager !== 'string' || Number.isNaN(startedAt)) return undefined
  return startedAt < Date.parse(String(metadata['creationTimestamp'])) ? undefined : { manager, startedAt }
}
