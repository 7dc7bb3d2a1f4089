import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isArtifactUrl } from '@wadi/git/remote/chart-location.ts'
import { revisionQueries } from '../inputs/query-key.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { clusterDecisionParameters } from './cluster-decision-generator.ts'
import { clustersParameters } from './clusters-generator.ts'
import type { Generate, GeneratorRun } from './generator-run.ts'
import { gitParameters, pathSets } from './git-generator.ts'
import { listParameters } from './list-generator.ts'
import { matrixParameters } from './matrix-generator.ts'
import { mergeParameters } from './merge-generator.ts'
import { pluginParameters } from './plugin-generator.ts'
import { pullRequestParameters } from './pull-request-generator.ts'
import { scmProviderParameters } from './scm-provider-generator.ts'

/** One kind of generator: everything that differs between them. */
export interface GeneratorKind {
  readonly generate: Generate
  /** True if git alone decides its elements; for a composed one, its children do. */
  readonly isDecidedByGit: boolean
  /** True if it combines those in its field `generators`; false by default. */
  readonly isComposed?: boolean
  /** True if clusters decide its elements; false by default. */
  readonly readsClusters?: boolean
  /** Seconds after which its queries are repeated by default; undefined for a kind that queries nobody. */
  readonly requeueSeconds?: number
  /** Kind of its queries; its own name by default. */
  readonly queryKind?: string
  /** True if an event about a repository may change the answers to queries about it; false by default. */
  readonly followsRepositories?: boolean
  /** True if a ConfigMap sets the service that it queries; false by default. */
  readonly hasConfigMap?: boolean
}

/** Kinds of generators by their fields, in the order in which they run when an entry has several. */
export const generatorKinds: ReadonlyMap<string, GeneratorKind> = new Map<string, GeneratorKind>([
  ['list', { generate: listParameters, isDecidedByGit: true }],
  ['clusters', { generate: clustersParameters, isDecidedByGit: false, readsClusters: true }],
  ['git', { generate: gitParameters, isDecidedByGit: true, requeueSeconds: 180, queryKind: revisionQueries }],
  [
    'oci',
    { generate: ociParameters, isDecidedByGit: false, requeueSeconds: 180, queryKind: revisionQueries },
  ],
  ['scmProvider', { generate: scmProviderParameters, isDecidedByGit: false, requeueSeconds: 1_800 }],
  [
    'pullRequest',
    {
      generate: pullRequestParameters,
      isDecidedByGit: false,
      requeueSeconds: 1_800,
      followsRepositories: true,
    },
  ],
  [
    'clusterDecisionResource',
    {
      generate: clusterDecisionParameters,
      isDecidedByGit: false,
      readsClusters: true,
      requeueSeconds: 180,
      hasConfigMap: true,
    },
  ],
  ['matrix', { generate: matrixParameters, isDecidedByGit: true, isComposed: true }],
  ['merge', { generate: mergeParameters, isDecidedByGit: true, isComposed: true }],
  [
    'plugin',
    { generate: pluginParameters, isDecidedByGit: false, requeueSeconds: 1_800, hasConfigMap: true },
  ],
])

/** Returns the generators inside a composed one, by the value of its field. */
export function childrenOf(
  { isComposed }: GeneratorKind,
  fields: Record<string, unknown>,
): readonly unknown[] {
  const children = isComposed ? fields['generators'] : undefined
  return Array.isArray(children) ? children : []
}

/**
 * One parameter set for each directory of an artifact in an OCI registry that `directories` takes, or for each object in the files that
 * `files` takes, as with `git`. The revision is a tag, a range of versions or the digest of a manifest.
 * @throws InvalidInputError naming the file, FailedPreconditionError for a revision that does not exist
 */
async function ociParameters(
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
