import { readFileSync } from 'node:fs'
import { UserError } from './user-error.ts'

/** The values that are set, by the name of their parameter and by their path. */
export type MapParameters = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A parameter as cmp-server writes it. */
interface Parameter {
  readonly name: string
  readonly map?: Readonly<Record<string, string>>
}

/** Reads the parameters, each of which is a map. */
export function readParameters(environment: Readonly<Record<string, string | undefined>>): MapParameters {
  const file = environment['ARGOCD_APP_PARAMETERS_FILE']
  // Wadi puts a list that is too long for a variable into the file alone.
  const json = environment['ARGOCD_APP_PARAMETERS'] ?? (file ? readFileSync(file, 'utf8') : 'null')
  const parameters: readonly Parameter[] | null = JSON.parse(json)
  return new Map(
    (parameters ?? []).map(({ name, map }) => {
      if (map === undefined) throw new UserError(`parameter ${name} is a map; set it with "map"`)
      // In the order of the paths, items of a list by their numbers.
      const entries = Object.entries(map).toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      return [name, new Map(entries)]
    }),
  )
}
