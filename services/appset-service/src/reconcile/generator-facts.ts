import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ApplicationSet } from '@wadi/application-sets/application-set.ts'

/** The inputs that the generators of a set depend on, as it is written; with inner ones of matrix and merge generators. */
export interface GeneratorFacts {
  /** True if clusters decide the generated Applications. */
  readsClusters: boolean
  /** Names of ConfigMaps that say which service generators ask. */
  configMaps: ReadonlySet<string>
  /** Time for which answers of others are used, by the kind of generator, in milliseconds; only kinds that ask others. */
  requeueMs: ReadonlyMap<string, number>
}

/** Argo CD's seconds after which a generator asks again. */
const defaultSeconds = new Map([
  ['git', 180],
  ['clusterDecisionResource', 180],
  ['scmProvider', 1_800],
  ['pullRequest', 1_800],
  ['plugin', 1_800],
])

/** The longest time that a timer can wait. */
const maxMs = 2 ** 31 - 1_000

/** Reads what the generators of a set depend on. `requeueAfterSeconds` that are no number above 0 are the default. */
export function generatorFacts(set: Pick<ApplicationSet, 'generators'>): GeneratorFacts {
  const configMaps = new Set<string>()
  const requeueMs = new Map<string, number>()
  let readsClusters = false
  const entries = set.generators.map(({ fields }) => fields)
  for (let entry = entries.pop(); entry; entry = entries.pop()) {
    for (const [kind, fields] of Object.entries(entry)) {
      if (!isJsonObject(fields)) continue
      if (kind === 'clusters' || kind === 'clusterDecisionResource') readsClusters = true
      if (kind === 'matrix' || kind === 'merge') {
        const children: unknown = fields['generators']
        entries.push(...(Array.isArray(children) ? children.filter(isJsonObject) : []))
      }
      const seconds = defaultSeconds.get(kind)
      if (seconds === undefined) continue
      const milliseconds = Math.min(maxMs, requeueSeconds(fields, seconds) * 1_000)
      requeueMs.set(kind, Math.min(requeueMs.get(kind) ?? maxMs, milliseconds))
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
