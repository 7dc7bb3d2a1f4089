import type { JsonObject } from '@bufbuild/protobuf'
import { drySourcesIn } from '@wadi/resources/application/dry-source-objects.ts'
import { listAt, objectAt, valueAt } from '@wadi/fields/json-fields.ts'

/**
 * The sources of an Application or of a set's template. One that is hydrated has its dry source, as `app list` shows it.
 */
export function sourcesOf(spec: JsonObject): JsonObject[] {
  const hydrated = valueAt(spec, 'sourceHydrator')
  if (hydrated !== undefined) return drySourcesIn({ spec })
  const several = listAt(spec, 'sources').map((source) => objectAt(source))
  return several.length > 0 ? several : [objectAt(spec, 'source')]
}

/** Returns how a spec is synchronised automatically; undefined if it is not. */
export function automationOf(spec: JsonObject): { prune: boolean } | undefined {
  const automated = valueAt(spec, 'syncPolicy', 'automated') ?? undefined
  if (automated === undefined || valueAt(automated, 'enabled') === false) return undefined
  return { prune: valueAt(automated, 'prune') === true }
}
