import type { JsonObject } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/**
 * Argo CD's command line changes an Application by its source. For one with `sourceHydrator` it takes the dry source for
 * that, or the source that is applied from when `--source-position` names it, and sends it as `spec.source` beside the
 * hydrator, whether or not it was changed. Returns the spec that is meant.
 * @throws InvalidInputError when the source that is applied from was changed
 */
export function withoutShownSource(spec: JsonObject): JsonObject {
  const { source, ...rest } = spec
  const hydrator = rest['sourceHydrator']
  if (!isJsonObject(source) || !isJsonObject(hydrator)) return spec
  const { drySource, syncSource } = hydrator
  if (!isJsonObject(drySource) || !isJsonObject(syncSource)) return spec
  const { targetBranch = '', path = '' } = syncSource
  const applied = { targetRevision: targetBranch, path }
  const [likeApplied, likeDry] = [likeness(source, applied), likeness(source, drySource)]
  if (likeApplied <= likeDry) return { ...rest, sourceHydrator: { ...hydrator, drySource: source } }
  if (likeApplied === comparedFields.length) return rest
  throw new InvalidInputError(
    'the hydrated branch and its directory are changed with --sync-source-branch and --sync-source-path',
  )
}

const comparedFields = ['targetRevision', 'path'] as const

function likeness(source: JsonObject, other: JsonObject): number {
  return comparedFields.filter((field) => (source[field] ?? '') === (other[field] ?? '')).length
}
