import { createHash } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { TracingTree, type TreeRead } from '@wadi/file-trees/tracing-tree.ts'
import { type GateName, type GateSeverities, rulesVersion } from '@wadi/gates/gate-names.ts'
import type { GateContext, PolicyFile } from '@wadi/gates/gate.ts'
import type { GateCheck } from '@wadi/gates/run-gates.ts'
import { gatesThatRun, operatorSeverities, strictest } from '@wadi/gates/severities.ts'
import { waiversOf } from '@wadi/gates/settings/waivers-of.ts'
import { type GateRun, GateRunSchema, type Gates } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import {
  readCustomDefinitions,
  readRepositoryPolicies,
  settingsFile,
} from '@wadi/rendering/source/repository-settings.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'

/** Most files of a record of a check. */
const maxFiles = 100

/** The oldest minor version of Kubernetes that gates know, which is that of a cluster that no option names. */
const oldestMinorVersion = 30

/** The gates that depend on the version of the cluster. */
const versionedGates = ['api-versions', 'schemas'] as const satisfies readonly GateName[]

/** Files with policies by the id of their set. */
export type PolicySets = ReadonlyMap<string, readonly PolicyFile[]>

/** The check of a source and what decides it. */
export interface SourceGates {
  readonly check: GateCheck
  /** That of the source, extended by what decides the check: of the day it has which waivers have expired. */
  readonly fingerprint: string
  /** The paths of the repository that the check reads. */
  readonly paths: readonly string[]
  /** Names the policies of the repository: equal names have equal policies. */
  readonly policiesId: string
  /** By which rules it checks. */
  readonly run: GateRun
}

/** A source and its inspection. */
interface InspectedSource {
  /** The policies of the operator and of clusters by their ids; needed for a check, not for its fingerprint. */
  readonly policySets?: PolicySets | undefined
  /** Identifies the programs that the operator names. */
  readonly programsId: string
  readonly tree: FileTree
  readonly source: RenderSource
  readonly inspection: SourceInspection
  readonly fingerprint: string
  /** The day in UTC, `YYYY-MM-DD`. */
  readonly today: string
}

/**
 * Returns the check of a source by the operator's severities and the settings of its repository, of which the stricter one applies to each
 * gate; undefined if no gate runs.
 * @param gates those of the request
 * @throws InvalidInputError for a gate or a severity that this version does not know, and for wrong definitions of the repository
 */
export async function sourceGates(
  gates: Gates,
  { tree, source, inspection, fingerprint, today, policySets, programsId }: InspectedSource,
): Promise<SourceGates | undefined> {
  const { asked, unwaivable } = operatorSeverities(gates.severities, unknownGate)
  const wanted = gatesThatRun(strictest([inspection.gates.gates, asked]))
  if (Object.keys(wanted).length === 0) return undefined
  const waivers = waiversOf(inspection.gates, source.applicationName)
  const cluster = { minorVersion: clusterVersion(gates, asked, inspection) }
  const { reads, ...read } = await readContext(tree, wanted)
  const readsId = JSON.stringify(reads)
  const sets = readSets(gates, wanted, policySets)
  const namespace = source.destinationNamespace || 'default'
  const dated = waivers.waivers.map((waiver) => ({ ...waiver, hasExpired: waiver.expires < today }))
  const text = JSON.stringify([
    fingerprint,
    rulesVersion,
    wanted,
    unwaivable,
    cluster,
    namespace,
    dated,
    waivers.acceptsAnnotations,
    reads,
    sets.ids,
    wanted.programs === undefined ? '' : programsId,
  ])
  return {
    check: {
      severities: wanted,
      ...waivers,
      unwaivable,
      today,
      context: {
        cluster,
        namespace,
        ...read,
        ...sets.policies,
        ...(wanted.programs && { programs: gates.programs }),
      },
      definitionsId: `${sets.definitionIds.join(' ')} ${readsId}`,
      ...(sets.definitions && { definitionTexts: sets.definitions.map((file) => file.text) }),
    },
    fingerprint: createHash('sha256').update(text).digest('hex'),
    paths: reads.map(([path]) => path),
    policiesId: readsId,
    run: create(GateRunSchema, {
      severities: Object.entries(wanted).map(([gate, severity]) => ({ gate, severity })),
      rulesVersion,
      kubernetesVersion: `1.${cluster.minorVersion}`,
      files: await gateFiles(tree, [settingsFile, ...reads.map(([path]) => path)]),
    }),
  }
}

/** @throws InvalidInputError if the policies of the operator, or those or the definitions of the cluster or branch, are not there */
export function requirePolicies({ severities, context, definitionTexts }: GateCheck): void {
  const given = {
    'operator-policies': context.operatorPolicies,
    'cluster-policies': context.clusterPolicies,
    schemas: definitionTexts,
  } as const
  for (const gate of ['operator-policies', 'cluster-policies', 'schemas'] as const) {
    if (severities[gate] === undefined || given[gate] !== undefined) continue
    throw new InvalidInputError(
      `the request lacks what the gate ${gate} checks by; update hydrator and repo-server to one version`,
    )
  }
}

/** Returns the minor version of the cluster, which the operator or the source names. */
function clusterVersion(
  { kubernetesVersion }: Gates,
  asked: GateSeverities,
  { options: { helm, kustomize } }: SourceInspection,
): number {
  if (kubernetesVersion !== '') return minorVersion(kubernetesVersion)
  const named = minorVersion(helm?.kubeVersion ?? kustomize?.kubeVersion)
  // The repository names the version, in which so old a cluster has removed nothing.
  const isAsked = versionedGates.some((gate) => (asked[gate] ?? 'off') !== 'off')
  return isAsked ? Math.max(named, oldestMinorVersion) : named
}

/** Returns the policies and definitions of the operator, the cluster and the branch that some gates read. */
function readSets(gates: Gates, wanted: GateSeverities, policySets: PolicySets = new Map()) {
  const idFor = (gate: GateName, id: string) => (wanted[gate] === undefined ? '' : id)
  const ids = {
    operator: idFor('operator-policies', gates.policiesId),
    cluster: idFor('cluster-policies', gates.clusterPoliciesId),
    definitions: idFor('schemas', gates.definitionsId),
  }
  const operatorPolicies = policySets.get(ids.operator)
  const clusterPolicies = policySets.get(ids.cluster)
  const policies = {
    ...(operatorPolicies && { operatorPolicies }),
    ...(clusterPolicies && { clusterPolicies }),
  }
  const ofBranch = wanted.schemas === undefined ? [] : gates.branchDefinitionIds
  const definitionIds = [ids.definitions, ...ofBranch].filter((id) => id !== '')
  const definitions = definitionIds.map((id) => policySets.get(id))
  const areThere = definitions.every((files) => files !== undefined)
  return { ids, policies, definitionIds, definitions: areThere ? definitions.flat() : undefined }
}

/** The settings and the files that gates read; a path without a file or directory is left out. */
async function gateFiles(tree: FileTree, paths: readonly string[]) {
  const entries = await Promise.all(
    paths.slice(0, maxFiles).map(async (path) => ({ path, entry: await tree.entry(path) })),
  )
  return entries.flatMap(({ path, entry }) =>
    entry === undefined ? [] : [{ path, id: entry.id, isDirectory: entry.kind === 'directory' }],
  )
}

/** Reads what gates need of a repository, and where it was read: equal ids there give equal contents. */
async function readContext(
  tree: FileTree,
  { schemas, policies }: GateSeverities,
): Promise<Pick<GateContext, 'definitions' | 'policies'> & { reads: TreeRead[] }> {
  const trace = new TracingTree(tree)
  const read = {
    ...((schemas ?? policies) && { definitions: await readCustomDefinitions(trace) }),
    ...(policies && { policies: await readRepositoryPolicies(trace) }),
  }
  return { ...read, reads: trace.reads().filter(([path]) => path !== settingsFile) }
}

function unknownGate(gate: string, severity: string): InvalidInputError {
  return new InvalidInputError(
    `gate ${JSON.stringify(gate)} with severity ${JSON.stringify(severity)} is not known to this repo-server; update it to the version of the hydrator`,
  )
}

function minorVersion(version = ''): number {
  const [, minor] = /^v?1\.(\d{1,3})(?:\.|$)/.exec(version) ?? []
  return minor === undefined ? oldestMinorVersion : Number(minor)
}
