import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isArtifactUrl } from '@wadi/git/remote/chart-location.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import type { GeneratorRun } from './generator-run.ts'
import { pathSets } from './git-generator.ts'

/**
 * One parameter set for each directory of an artifact in an OCI registry that `directories` takes, or for each object in the files that
 * `files` takes, as with `git`. The revision is a tag, a range of versions or the digest of a manifest.
 * @throws InvalidInputError naming the file, FailedPreconditionError for a revision that does not exist
 */
export async function ociParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const repoUrl = reader.requiredString(fields, 'repoURL', '')
  const revision = reader.requiredString(fields, 'revision', '')
  if (repoUrl !== '' && !isArtifactUrl(repoUrl)) {
    reader.report('repoURL must begin with oci://; a git repository has the generator git')
  }
  return pathSets({ repoUrl, revision, reader }, fields, path, run)
}
