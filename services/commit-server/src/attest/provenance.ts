import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { GateRun } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import {
  builderId,
  type Digests,
  hydrationBuildType,
  provenanceType,
  statementType,
} from '@wadi/signatures/attestations/statement.ts'

/** A directory that a run rendered. */
export interface AttestedDirectory {
  /** Clean; `''` is the root. */
  path: string
  digests: Digests
  /** Its `hydrator.metadata` as this run made it, parsed. */
  record: unknown
  /** The checks of its objects; none if one of its sources was not checked. */
  gateRuns: readonly GateRun[]
}

/** A run that made a hydrated commit. */
export interface HydrationRun {
  repoUrl: string
  branch: string
  /** Empty if it is the branch itself. */
  syncBranch: string
  installation: string
  /** The dry commit of the run. */
  drySha: string
}

/** A hydrated commit, and what its run rendered. */
interface AttestedCommit {
  sha: string
  tree: string
  directories: readonly AttestedDirectory[]
}

/** The keys of a record by which its directory can be rendered again. */
const parameterKeys = [
  'applications',
  'drySource',
  'sources',
  'destinationNamespace',
  'manifestGeneratePaths',
  'pluginVariables',
  'layout',
  'crds',
]

/** A resource that a render used, as in-toto describes it. */
interface Dependency {
  uri: string
  name?: string
  digest?: Digests
  annotations?: Record<string, string>
}

/** The statement, with SLSA provenance, about a hydrated commit and the directories that its run rendered. */
export function provenanceStatement(
  { repoUrl, branch, syncBranch, installation, drySha }: HydrationRun,
  { sha, tree, directories }: AttestedCommit,
) {
  const dependencies = directories.flatMap(({ record }) => [...sourcesOf(record), ...toolsOf(record)])
  const unique = new Map(dependencies.map((dependency) => [JSON.stringify(dependency), dependency]))
  return {
    _type: statementType,
    subject: [
      { name: branch, digest: { gitCommit: sha } },
      ...directories.map(({ path, digests }) => ({ name: path || '.', digest: digests })),
    ],
    predicateType: provenanceType,
    predicate: {
      buildDefinition: {
        buildType: hydrationBuildType,
        externalParameters: {
          repository: repoUrl,
          branch,
          ...(syncBranch && { syncBranch }),
          directories: Object.fromEntries(
            directories.map(({ path, record }) => [path || '.', parametersOf(record)]),
          ),
        },
        internalParameters: { tree },
        resolvedDependencies: [...unique.values()],
      },
      runDetails: { builder: { id: builderId(installation) }, metadata: { invocationId: drySha } },
    },
  }
}

function parametersOf(record: unknown): Record<string, unknown> {
  const all = objectAt(record)
  return Object.fromEntries(parameterKeys.flatMap((key) => (key in all ? [[key, all[key]]] : [])))
}

/** The dry commits and charts of a directory. */
function sourcesOf(record: unknown): Dependency[] {
  const several = listAt(record, 'sources')
  return (several.length > 0 ? several : [record]).map((source): Dependency => {
    const [repoUrl, chart, drySha] = ['repoURL', 'chart', 'drySha'].map((key) => textAt(source, key))
    if (!chart) return { uri: gitUri(repoUrl ?? ''), digest: { gitCommit: drySha ?? '' } }
    const annotations = { version: textAt(source, 'version') }
    return { uri: repoUrl ?? '', name: chart, digest: { sha256: drySha ?? '' }, annotations }
  })
}

function toolsOf(record: unknown): Dependency[] {
  return listAt(record, 'tools').flatMap((tool): Dependency[] => {
    const [name, version, sha256, image] = ['name', 'version', 'sha256', 'image'].map((key) =>
      textAt(tool, key),
    )
    const uri = `pkg:generic/${encodeURIComponent(name ?? '')}@${encodeURIComponent(version ?? '')}`
    const program = { uri, name: name ?? '', annotations: { version: version ?? '' } }
    const [, digest] = /@sha256:([0-9a-f]{64})$/.exec(image ?? '') ?? []
    return [
      { ...program, ...(sha256 && { digest: { sha256 } }) },
      ...(image ? [{ uri: `oci://${image}`, ...(digest && { digest: { sha256: digest } }) }] : []),
    ]
  })
}

/** A repository as SPDX and SLSA write it: `git+https://…`, `git+ssh://…`. */
function gitUri(url: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return `git+${url}`
  const [, host, path] = /^([^/:]+):(.*)$/s.exec(url) ?? []
  return host === undefined ? url : `git+ssh://${host}/${path ?? ''}`
}
