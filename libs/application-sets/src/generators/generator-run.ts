import type { UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { GeneratorEntry } from '../application-set.ts'
import type { ForgeAccess } from '../forges/forge-access.ts'
import type { InputSources, GeneratorInputs } from '../inputs/run-inputs.ts'
import type { ParameterBudget } from '../params/parameter-budget.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import type { TextEngine } from '../templates/text-engine.ts'

/** The context of the generators of one call. */
export interface GeneratorRun {
  /** Kind of the generator that runs; empty before one does. */
  kind: string
  isGoTemplate: boolean
  engine: TextEngine
  /** The same engine, for which every absent key is an error. */
  strictEngine: TextEngine
  /** Whose read credentials are used; empty for those of all projects. */
  project: string
  inputs: GeneratorInputs
  store: InputSources['store']
  /** That of the set. */
  namespace: string
  setName: string
  /** Which transports the repositories of Applications may have. */
  urlPolicy: UrlPolicy
  /** The names of the ConfigMaps of those plugins that may be asked. */
  pluginConfigMaps: readonly string[]
  forges: ForgeAccess
  budget: ParameterBudget
  /** Counts a parameter set that is rendered. */
  addParameterSet: () => void
  /** Gives other calls a turn from time to time; throws when the call has ended or its time is over. */
  pace: () => Promise<void>
  /** The row of the matrix generator around this one; undefined outside of one. */
  row: ParameterSet | undefined
  /** Runs a generator inside of another one, which has to be of one kind, with the row that comes before it. */
  child: (entry: GeneratorEntry, row: ParameterSet | undefined) => Promise<ParameterSet[]>
}

/** Makes the parameter sets of one kind of generator from its fields, which stand at `path`. */
export type Generate = (
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
) => Promise<ParameterSet[]>
