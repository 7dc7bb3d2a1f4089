import { create } from '@bufbuild/protobuf'
import { heldVersions } from '@wadi/hydration/held-versions.ts'
import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import { BranchPositionSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import type { MemberGroup, ObservedGroup, ObservedRun } from '../run/branch-run.ts'
import { groupsOf } from '../run/observe/groups.ts'
import { readVerification } from '../run/observe/group-verification.ts'
import { observedGroup, resolveGroups } from '../run/observe/resolve-groups.ts'
import { readBranch } from '../run/observe/read-branch.ts'
import type { RunContext } from '../run/run-context.ts'
import type { FedBranch } from './compared-branches.ts'
import { factsOf } from '../applications/member-facts.ts'
import { branchTools } from '../run/branch-tools.ts'
import type { Comparison } from './resolve-comparison.ts'

const nothing = () => ({ drySha: '', version: '', unresolved: undefined, credentials: '' })

/** A group whose sources that follow the target of a comparison are at another commit of it. */
export function groupAt(
  group: ObservedGroup,
  { followedBy, targetSha }: Comparison,
  drySha: string,
): ObservedGroup {
  const sources = group.sources.map((source) => {
    if (!followedBy(source)) return source
    const { verification } = source
    const isNamed = drySha === targetSha
    return {
      ...source,
      drySha,
      verification: verification && { ...verification, ...(!isNamed && { revision: '' }) },
    }
  })
  return { ...group, sources, drySha: sources[0]?.drySha ?? '' }
}

/** Observes a group at the head of the target; sources that do not follow it are resolved. */
export async function observedAtTarget(
  context: RunContext,
  group: MemberGroup,
  comparison: Comparison,
  signal: AbortSignal,
): Promise<ObservedGroup> {
  const isCompared = group.sources.some(comparison.followedBy)
  const observed =
    isCompared && group.sources.length > 1
      ? (await resolveGroups(context, [group], signal)).groups[0]
      : undefined
  const unresolved = observed ?? observedGroup(group, await readVerification(context.store, group), nothing)
  return groupAt(unresolved, comparison, comparison.targetSha)
}

/** A group at the commits that its branch was hydrated from; undefined when that is not known. */
export function groupAsHydrated(group: ObservedGroup): ObservedGroup | undefined {
  const { success } = group.before ?? {}
  const known = success && [success, ...(success.others ?? [])]
  if (known?.length !== group.sources.length) return undefined
  const sources = group.sources.map((source, index) => {
    const { drySha = '', version = '' } = known[index] ?? {}
    const { verification } = source
    return { ...source, drySha, version, verification: verification && { ...verification, revision: '' } }
  })
  return { ...group, sources, drySha: known[0]?.drySha ?? '' }
}

/**
 * Observes a hydrated branch as a run does, without taking what was announced or asked for. Compared with another dry
 * commit, only what Wadi last wrote to the branch matters, which is known without asking its remote.
 */
export async function observeForComparison(
  context: RunContext,
  { key, repoUrl, branch, members }: FedBranch,
  comparison: Comparison,
  signal: AbortSignal,
): Promise<ObservedRun> {
  const { commonProject: project } = factsOf(members)
  const before = await context.records.read(key)
  const knownHead = before ? knownHeadOf(before) : ''
  const [settings, found, groups] = await Promise.all([
    readOperatorSettings(context.store, context.status.yieldsToArgoCd, context.clusterPolicies),
    comparison.base === undefined
      ? readBranch(
          context,
          { repoUrl, branch, project, knownHead, withTools: before?.tools === undefined },
          signal,
        )
      : undefined,
    Promise.all(
      groupsOf(members, before?.groups ?? []).map((group) =>
        observedAtTarget(context, group, comparison, signal),
      ),
    ),
  ])
  if (found?.failure) throw found.failure.cause
  const position = found?.answer.position ?? create(BranchPositionSchema, { headSha: knownHead })
  const { headSha } = position
  return {
    key,
    repoUrl,
    branch,
    project,
    hard: false,
    settings,
    before,
    foreign: undefined,
    installation: context.installation,
    destination: { headSha, error: '', credentials: '' },
    control: { projects: new Map(), clusters: '' },
    position,
    known: await context.known.fingerprints(key, headSha, found?.answer.unchanged ? knownHead : ''),
    groups,
    failures: new Map(),
    renderers: comparison.rendering.renderers,
    tools: comparison.rendering.tools,
    defaultTools: branchTools(
      [...comparison.rendering.installed, ...comparison.rendering.downloadable],
      heldVersions(before) ?? found?.answer.tools,
    ),
  }
}
