import { create } from '@bufbuild/protobuf'
import { heldVersions } from '@wadi/hydration/held-versions.ts'
import { type HydratedBranchStatus, knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import { BranchPositionSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { settingsOfBranch } from '../../left-to-argo-cd.ts'
import { branchTools } from '../branch-tools.ts'
import type { GroupFailure, ObservedGroup, ObservedRun } from '../branch-run.ts'
import type { RunContext } from '../run-context.ts'
import { recordedChange } from './foreign-change.ts'
import { foreignSigner } from './foreign-signer.ts'
import { groupsOf } from './groups.ts'
import { isAsRecorded } from './is-as-recorded.ts'
import { readBranch } from './read-branch.ts'
import { resolveGroups } from './resolve-groups.ts'
import type { Member } from '../../applications/application-index.ts'
import { factsOf } from '../../applications/member-facts.ts'
import { throughOutage } from './through-outage.ts'

/**
 * Finds out what is wanted (members, settings, newest dry commits) and what is there (the branch's head, what it was
 * rendered from, what somebody else did to it, the record). Undefined when the branch has no members any more.
 */
export async function observe(
  context: RunContext,
  key: string,
  signal: AbortSignal,
): Promise<ObservedRun | undefined> {
  const members = context.index.members(key)
  const target = members[0] && hydratedBranchOf(members[0].application)
  if (!target) return undefined
  const { repoUrl, branch } = target
  const { commonProject: project, isHard: hard } = factsOf(members)
  const announced = context.announcements.take(key)
  const before = await throughOutage(() => context.records.read(key), signal)
  const knownHead = before ? knownHeadOf(before) : ''
  const request = { repoUrl, branch, project, knownHead, ...askedOf(members, before, branch) }
  const ofMembers = groupsOf(members, before?.groups ?? [])
  const [{ settings, control }, read, resolvedMeanwhile] = await Promise.all([
    context.operatorViews(signal),
    readBranch(context, request, signal),
    resolveGroups(context, ofMembers, signal, { announced }),
  ])
  const { answer, destination } = read
  const position = answer.position ?? create(BranchPositionSchema)
  // A run that moved the branch meanwhile may have known newer dry commits than this one was given.
  const { groups, renderers, tools, installed, downloadable } = isAsRecorded(position, before)
    ? resolvedMeanwhile
    : await resolveGroups(context, ofMembers, signal)
  const { headSha } = position
  const policy = settings.foreignChanges
  const found = answer.foreignChange
  const signer = found && (await foreignSigner(context, { repoUrl, members }, found, signal))
  const foreign = found && recordedChange(found, { knownHead, headSha, policy, signer: signer ?? '' }, before)
  return {
    key,
    repoUrl,
    branch,
    project,
    hard,
    settings: settingsOfBranch(settings, members, context.status),
    before,
    foreign,
    installation: context.installation,
    destination,
    control,
    position,
    known: hard
      ? undefined
      : await context.known.fingerprints(key, headSha, answer.unchanged ? knownHead : ''),
    groups,
    failures: failuresOf(groups, read.failure),
    renderers,
    tools,
    defaultTools: branchTools([...installed, ...downloadable], heldVersions(before) ?? answer.tools),
    mayDownload: true,
  }
}

/** Returns what a run wants to know of its branch besides the position. */
function askedOf(members: readonly Member[], before: HydratedBranchStatus | undefined, branch: string) {
  const syncBranch = members[0]?.spec.syncSource.targetBranch ?? ''
  return {
    syncBranch: syncBranch === branch ? '' : syncBranch,
    interrupted: mayHaveCommitted(before),
    withTools: before?.tools === undefined,
  }
}

function failuresOf(
  groups: readonly ObservedGroup[],
  unreadable: GroupFailure | undefined,
): Map<ObservedGroup, GroupFailure> {
  const failures = new Map<ObservedGroup, GroupFailure>()
  for (const group of groups) {
    const failure = group.unresolved ?? unreadable
    if (failure) failures.set(group, failure)
  }
  return failures
}

/** Returns true if the last run may have left a commit that the record and the notes do not know of. */
function mayHaveCommitted(before: HydratedBranchStatus | undefined): boolean {
  return (
    before !== undefined && !before.foreignChange && before.groups.some(({ phase }) => phase !== 'Hydrated')
  )
}
