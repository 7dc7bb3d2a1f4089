import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { deepMerge } from '../params/deep-merge.ts'
import type { ParameterSet, ParameterValues } from '../params/parameter-set.ts'
import { childGenerators } from './child-generators.ts'
import type { GeneratorRun } from './generator-run.ts'

const maxMergeKeys = 100

/**
 * The parameter sets of the first generator, in its order, with those of the later ones that have equal merge keys laid
 * over them; sets of later generators that nothing of the first one equals are dropped. With Go templates a merge key
 * may lead into maps, as in `values.region`, which is Wadi's own.
 * @throws InvalidInputError, also when two sets of one generator have equal merge keys
 */
export async function mergeParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const [first, ...others] = childGenerators(fields, path)
  if (!first || others.length === 0) {
    throw new InvalidInputError('found less than two generators, Merge requires two or more')
  }
  const reader = new FieldReader(path)
  const mergeKeys = reader.strings(fields, 'mergeKeys', '').toSorted()
  if (mergeKeys.length > maxMergeKeys) {
    reader.report(`mergeKeys has ${mergeKeys.length} keys; at most ${maxMergeKeys} are accepted`)
  }
  reader.throwFindings()
  if (mergeKeys.length === 0) {
    throw new InvalidInputError('no merge keys were specified, Merge requires at least one')
  }
  let rows = await byMergeKeys(await run.child(first, run.row), mergeKeys, run.pace)
  for (const child of others) {
    const merged = new Map<string, ParameterSet>()
    const over = await byMergeKeys(await run.child(child, run.row), mergeKeys, run.pace)
    const sets: ParameterSet[] = []
    for (const [key, row] of rows) {
      await run.pace()
      const found = over.get(key)
      const next = found ? laidOver(row, found, run.isGoTemplate) : row
      if (found) run.budget.add(sets, next)
      merged.set(key, next)
    }
    rows = merged
  }
  return [...rows.values()]
}

function laidOver(row: ParameterSet, over: ParameterSet, isGoTemplate: boolean): ParameterSet {
  const values = isGoTemplate ? deepMerge(over.values, row.values) : { ...row.values, ...over.values }
  return { origin: `${row.origin} and ${over.origin}`, values }
}

async function byMergeKeys(
  sets: readonly ParameterSet[],
  mergeKeys: readonly string[],
  pace: () => Promise<void>,
): Promise<Map<string, ParameterSet>> {
  const byKey = new Map<string, ParameterSet>()
  for (const set of sets) {
    await pace()
    const values = mergeKeys.map((key) => [key, valueAt(set.values, key) ?? null])
    const key = canonicalJson(Object.fromEntries(values))
    const other = byKey.get(key)
    if (other) {
      throw new InvalidInputError(
        'the parameters from a generator were not unique by the given mergeKeys, Merge requires all param sets to be ' +
          `unique. Duplicate key was ${key} (of ${other.origin} and ${set.origin})`,
      )
    }
    byKey.set(key, set)
  }
  return byKey
}

/** The value of a key, or where there is none, that of a path through maps whose keys may have dots themselves. */
function valueAt(values: Readonly<ParameterValues>, key: string): unknown {
  if (Object.hasOwn(values, key)) return values[key]
  for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
    const head = key.slice(0, dot)
    const inner = Object.hasOwn(values, head) ? values[head] : undefined
    const found = isJsonObject(inner) ? valueAt(inner, key.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
