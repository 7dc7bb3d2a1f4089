import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ApplicationSet } from '@wadi/application-sets/application-set.ts'
import { childrenOf, generatorKinds } from '@wadi/application-sets/generators/generator-kinds.ts'

/** The inputs that the generators of a set depend on, as it is written; with inner ones of matrix and merge generators. */
export interface GeneratorFacts {
  /** True if clusters decide the generated Applications. */
  readsClusters: boolean
  /** Names of ConfigMaps that say which service generators ask. */
  configMaps: ReadonlySet<string>
  /** Time for which answers of others are used, by the kind of query, in milliseconds; only kinds that ask others. */
  requeueMs: ReadonlyMap<string, number>
}

/** The longest time that a timer can wait. */
const maxMs = 2 ** 31 - 1_000

/** Reads what the generators of a set depend on. `requeueAfterSeconds` that are no number above 0 are the default. */
export function generatorFacts(set: Pick<ApplicationSet, 'generators'>): GeneratorFacts {
  const configMaps = new Set<string>()
  const requeueMs = new Map<string, number>()
  let readsClusters = false
  const entries = set.generators.map(({ fields }) => fields)
  for (let entry = entries.pop(); entry; entry = entries.pop()) {
    for (const [name, fields] of Object.entries(entry)) {
      const kind = generatorKinds.get(name)
      if (!kind || !isJsonObject(fields)) continue
      if (kind.readsClusters) readsClusters = true
      entries.push(...childrenOf(kind, fields).filter(isJsonObject))
      if (kind.requeueSeconds === undefined) continue
      const milliseconds = Math.min(maxMs, requeueSeconds(fields, kind.requeueSeconds) * 1_000)
      const queryKind = kind.queryKind ?? name
      requeueMs.set(queryKind, Math.min(requeueMs.get(queryKind) ?? maxMs, milliseconds))
      const configMap = configMapName(fields['configMapRef'])
      if (configMap !== undefined) configMaps.add(configMap)
    }
  }
  return { readsClusters, configMaps, requeueMs }
}

function requeueSeconds(fields: Record<string, unknown>, byDefault: number): number {
  const seconds = fields['requeueAfterSeconds']
  return typeof seconds === 'number' && seconds >= 1 ? seconds : byDefault
}

/** The reference is a map for plugins and the name itself for clusterDecisionResource. */
function configMapName(reference: unknown): string | undefined {
  const name = isJsonObject(reference) ? reference['name'] : reference
  return typeof name === 'string' ? name : undefined
}
