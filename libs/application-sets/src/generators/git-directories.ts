import type { DryCommit, GeneratorInputs } from '../inputs/run-inputs.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { pathParameters } from '../params/path-parameters.ts'
import type { GitPatterns } from './git-patterns.ts'

/** The context in which the git generator makes sets of paths. */
export interface GitSetOptions {
  /** The path of the generator in the ApplicationSet. */
  path: string
  /** The generator's `pathParamPrefix`, empty for none. */
  prefix: string
  isGoTemplate: boolean
}

/** One parameter set for each directory that matches; the root and hidden ones never do. */
export async function* gitDirectorySets(
  commit: DryCommit,
  patterns: GitPatterns,
  { path, prefix, isGoTemplate }: GitSetOptions,
  inputs: GeneratorInputs,
): AsyncGenerator<ParameterSet> {
  const directories = await inputs.paths(commit, { kind: 'directories', ...patterns, hidden: false })
  for (const directory of directories) {
    const values = pathParameters({ directory }, prefix, isGoTemplate)
    yield { origin: `${path}: directory ${directory}`, values }
  }
}
