import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { GeneratorEntry } from '../application-set.ts'
import { childrenOf, generatorKinds } from './generator-kinds.ts'

/**
 * The generators of an entry whose elements git does not decide, such as `spec.generators[0].matrix.generators[1].clusters`.
 * Others are `list`, `git`, and `matrix` and `merge` of these.
 */
export function undecidedByGit({ path, fields }: GeneratorEntry): string[] {
  return [...generatorKinds].flatMap(([kind, generator]) => {
    const own = fields[kind] ?? undefined
    if (own === undefined) return []
    const inner = childrenOf(generator, isJsonObject(own) ? own : {}).flatMap((child, index) =>
      isJsonObject(child)
        ? undecidedByGit({ path: `${path}.${kind}.generators[${index}]`, fields: child })
        : [],
    )
    return generator.isDecidedByGit ? inner : [`${path}.${kind}`]
  })
}
