import { create } from '@bufbuild/protobuf'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import {
  type HydratedBranchStatus,
  knownHeadOf,
  readHydratedBranch,
} from '@wadi/hydration/hydrated-branch.ts'
import { BranchPositionSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import type { GroupFailure, ObservedGroup, ObservedRun } from './branch-run.ts'
import type { RunContext } from './run-context.ts'
import { readControlPlaneVersions } from './failure-inputs.ts'
import { recordedChange } from './foreign-change.ts'
import { commonProject, groupsOf } from './groups.ts'
import { readBranch } from './read-branch.ts'
import { resolveGroups } from './resolve-groups.ts'

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
  const project = commonProject(members)
  const hard = members.some((member) => member.request === 'hard')
  const before = await readRecord(context, key)
  const knownHead = before ? knownHeadOf(before) : ''
  const syncBranch = members[0]?.spec.syncSource.targetBranch ?? ''
  const request = {
    repoUrl,
    branch,
    project,
    knownHead,
    syncBranch: syncBranch === branch ? '' : syncBranch,
    interrupted: mayHaveCommitted(before),
  }
  const [settings, found, { groups, renderers }, control] = await Promise.all([
    readOperatorSettings(context.store),
    readBranch(context, request, signal),
    resolveGroups(context, groupsOf(members, before?.groups ?? []), signal),
    readControlPlaneVersions(context.store),
  ])
  const { answer, destination } = found
  const position = answer.position ?? create(BranchPositionSchema)
  const { headSha } = position
  const policy = settings.foreignChanges
  const foreign =
    answer.foreignChange && recordedChange(answer.foreignChange, { knownHead, headSha, policy }, before)
  return {
    key,
    repoUrl,
    branch,
    project,
    hard,
    settings,
    before,
    foreign,
    destination,
    control,
    position,
    held: hard ? undefined : await heldAt(context, key, headSha, answer.unchanged ? knownHead : ''),
    groups,
    failures: failuresOf(groups, found.failure),
    renderers,
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

/** Whether the last run may have left a commit that the record and the notes do not know of. */
function mayHaveCommitted(before: HydratedBranchStatus | undefined): boolean {
  return (
    before !== undefined && !before.foreignChange && before.groups.some(({ phase }) => phase !== 'Hydrated')
  )
}

async function readRecord(context: RunContext, key: string): Promise<HydratedBranchStatus | undefined> {
  const record = await context.store.get('HydratedBranch', controlPlaneNamespace, key)
  return record && readHydratedBranch(record).status
}

/** What a head was rendered from, also one with other people's commits on top that left Wadi's files alone. */
async function heldAt(
  { fingerprints }: RunContext,
  key: string,
  headSha: string,
  sameAs: string,
): Promise<Map<string, string> | undefined> {
  const held = await fingerprints.read(key, headSha)
  return held === undefined && sameAs !== '' ? fingerprints.move(key, sameAs, headSha) : held
}
