import type { JsonObject } from '@bufbuild/protobuf'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'

/**
 * The dry sources of an Application as the API has it, unchecked and in their order; a single empty one when it has none. The
 * commits of the first are its dry commits.
 */
export function drySourcesIn(application: JsonObject | undefined): JsonObject[] {
  const listed = listAt(application, 'spec', 'sourceHydrator', 'drySources')
  return listed.length > 0
    ? listed.map((source) => objectAt(source))
    : [objectAt(application, 'spec', 'sourceHydrator', 'drySource')]
}

/** True if such a source has manifests of its own: one with a `ref` and without a path only gives files to others. */
export function hasManifests(source: JsonObject): boolean {
  return textAt(source, 'ref') === '' || textAt(source, 'path') !== ''
}
