import { existsSync, globSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const other = process.env['WADI_TEST_CORPUS']

/** Public charts and examples beside a clone, which passes its tests without them. `WADI_TEST_CORPUS` names another directory. */
export const corpus = other ?? join(import.meta.dirname, '../../../../../shared/corpus')

/** The directories of the corpus that are there; of another one all. */
export const corpusPlaces =
  other === undefined
    ? ['charts', 'argocd-example-apps'].filter((place) => existsSync(join(corpus, place)))
    : readdirSync(corpus)

/** A directory of a place, and the values files that may be given with its chart, one at a time. */
export interface CorpusEntry {
  readonly name: string
  readonly valuesFiles: readonly string[]
}

/** The directories of a place with a chart or a kustomization, but for charts within charts. */
export function corpusEntries(place: string): CorpusEntry[] {
  const cwd = join(corpus, place)
  const files = globSync(['**/Chart.yaml', '**/kustomization.yaml'], { cwd })
  const names = [...new Set(files.map((file) => dirname(file)))].toSorted()
  const charts = names.filter((name) => existsSync(join(cwd, name, 'Chart.yaml')))
  return names
    .filter((name) => !charts.some((chart) => name.startsWith(`${chart}/charts/`)))
    .map((name) => ({
      name,
      valuesFiles: globSync(['ci/*.yaml', 'values-*.yaml'], { cwd: join(cwd, name) }).toSorted(),
    }))
}
