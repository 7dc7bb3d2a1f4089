import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import type { GeneratorRun } from './generator-run.ts'
import { gitDirectorySets } from './git-directories.ts'
import { gitFileSets } from './git-files.ts'
import { readPatterns } from './git-patterns.ts'
import { withTemplatedValues } from './templated-values.ts'

/**
 * One parameter set for each directory of a repository that `directories` takes, or for each object in the files that
 * `files` takes; with both, directories win.
 * @throws InvalidInputError naming the file, FailedPreconditionError for a revision that does not exist
 */
export async function gitParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const repoUrl = reader.requiredString(fields, 'repoURL', '')
  const revision = reader.string(fields, 'revision', '') || 'HEAD'
  return pathSets({ repoUrl, revision, reader }, fields, path, run)
}

/** The parameter sets of a generator that reads directories or files: what `git` and `oci` have in common. */
export async function pathSets(
  { repoUrl, revision, reader }: { repoUrl: string; revision: string; reader: FieldReader },
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const prefix = reader.string(fields, 'pathParamPrefix', '') ?? ''
  const directories = readPatterns(reader, fields, 'directories')
  const files = readPatterns(reader, fields, 'files')
  reader.throwFindings()
  const commit = await run.inputs.commit(repoUrl, revision, run.project)
  const options = { path, prefix, isGoTemplate: run.isGoTemplate }
  let found: AsyncIterable<ParameterSet>
  if (directories) found = gitDirectorySets(commit, directories, options, run.inputs)
  else if (files) found = gitFileSets(commit, files, options, run)
  else throw new InvalidInputError('ApplicationSet is empty: give directories or files')
  const sets: ParameterSet[] = []
  // One after the other: small files may hold more objects than there is room for.
  for await (const set of found) {
    await run.pace()
    run.budget.add(sets, await withTemplatedValues(set, fields['values'], run))
  }
  return sets
}
