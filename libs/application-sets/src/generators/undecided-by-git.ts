import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { GeneratorEntry } from '../application-set.ts'

/** Generators whose elements are in clusters, registries, forges and plugins. */
const undecided = ['clusters', 'oci', 'scmProvider', 'pullRequest', 'clusterDecisionResource', 'plugin']
const composed = ['matrix', 'merge']

/**
 * The generators of an entry whose elements git does not decide, such as `spec.generators[0].matrix.generators[1].clusters`.
 * Others are `list`, `git`, and `matrix` and `merge` of these.
 */
export function undecidedByGit({ path, fields }: GeneratorEntry): string[] {
  const own = undecided.filter((kind) => (fields[kind] ?? undefined) !== undefined)
  const inner = composed.flatMap((kind) => {
    const outer = fields[kind]
    const children = isJsonObject(outer) ? outer['generators'] : undefined
    return (Array.isArray(children) ? children : []).flatMap((child: unknown, index) =>
      isJsonObject(child)
        ? undecidedByGit({ path: `${path}.${kind}.generators[${index}]`, fields: child })
        : [],
    )
  })
  return [...own.map((kind) => `${path}.${kind}`), ...inner]
}
