import type { MessageInitShape } from '@bufbuild/protobuf'
import { groupOf } from '@wadi/hydration/application-status.ts'
import { gatesText, type GroupStatus, type HydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { by } from '@wadi/order/by-name.ts'
import type { CommitStageSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { directoryOf, type StageHistory } from './commit-history.ts'
import type { PlannedStage } from './environments.ts'
import type { StageFields } from './stage.ts'

const maxApplications = 200

/** The places of a dry commit on a stage. */
export interface CommitPlace {
  /** True if the stage has the commit; undefined if nobody knows. */
  readonly isHeld: boolean | undefined
  /** The reason for which nobody knows. */
  readonly unknown: string
  readonly history: StageHistory
  /** Returns true if a dry commit has the commit. */
  readonly isIn: (drySha: string) => boolean
  readonly record: HydratedBranch | undefined
}

/** Returns the message `CommitStage` of a dry commit. */
export function commitStage(
  sha: string,
  { plan, stage }: PlannedStage,
  place: CommitPlace,
): MessageInitShape<typeof CommitStageSchema> {
  const { repoUrl, branch, targetRevision, promotedFrom, pullRequestUrl } = stage
  const entry = place.isHeld ? place.history.entries.findLast(({ drySha }) => place.isIn(drySha)) : undefined
  const isHydrated = promotedFrom === ''
  const groups = isHydrated ? plan.applications.map(({ member }) => groupOf(member, place.record)) : []
  const applications = plan.applications
    .map((application, index) => ({
      namespace: application.source.spec.namespace,
      name: application.source.spec.name,
      changed: entry?.changedPaths.includes(directoryOf(application)) ?? false,
      findings: findingsOf(sha, application.member.name, groups[index]),
    }))
    .toSorted(by(({ changed }) => (changed ? '0' : '1')))
  return {
    repoUrl,
    branch,
    targetRevision,
    promotedFrom,
    ...(isHydrated ? hydratedOutcome(sha, stage, place, entry) : promotedOutcome(stage, place)),
    hydratedSha: entry?.hydratedSha ?? '',
    hydratedAt: entry?.date ?? '',
    pullRequestUrl: place.isHeld ? '' : pullRequestUrl,
    applications: applications.slice(0, maxApplications),
    moreApplications: Math.max(0, applications.length - maxApplications),
    ...runOf(sha, groups),
    ...proofOf(entry, groups),
  }
}

interface Outcome {
  readonly outcome: string
  readonly reason: string
}

function promotedOutcome({ reason }: StageFields, { isHeld, unknown }: CommitPlace): Outcome {
  if (isHeld === undefined) return { outcome: '', reason: unknown }
  if (isHeld) return { outcome: 'Promoted', reason: '' }
  return { outcome: 'Waiting', reason: reason || 'its staging branch waits for it, too' }
}

function hydratedOutcome(
  sha: string,
  { drySha, state, reason, targetRevision }: StageFields,
  { isHeld, unknown, history }: CommitPlace,
  entry: HistoryEntry | undefined,
): Outcome {
  if (isHeld === undefined) return { outcome: '', reason: unknown }
  if (!isHeld) {
    const idle =
      drySha === '' ? 'nothing is hydrated yet' : `${targetRevision} did not have it at the newest run`
    return { outcome: 'Waiting', reason: reason || (state === 'Running' ? 'a run is under way' : idle) }
  }
  if (history.error !== '') return { outcome: '', reason: history.error }
  if (entry?.drySha === sha) return { outcome: 'Changed', reason: '' }
  if (!entry) return { outcome: 'Unchanged', reason: 'nothing that this branch is rendered from changed' }
  if (history.hasMore && entry === history.entries.at(-1)) {
    return { outcome: '', reason: `it is older than the newest ${history.entries.length} hydrated commits` }
  }
  return {
    outcome: 'Together',
    reason: `the next hydrated commit is of the newer dry commit ${entry.drySha.slice(0, 7)}`,
  }
}

function findingsOf(sha: string, application: string, group: GroupStatus | undefined): number {
  const found = group?.drySha === sha && group.found ? group.found.findings : undefined
  const held = group?.success?.drySha === sha ? group.success.findings : undefined
  return (found ?? held)?.find((one) => one.application === application)?.findings.length ?? 0
}

function runOf(sha: string, groups: readonly (GroupStatus | undefined)[]) {
  const run = groups.find((group) => group?.drySha === sha)
  if (!run) return {}
  const { phase, message, failures, startedAt, finishedAt = '' } = run
  return { run: { phase, message: message || (failures[0]?.message ?? ''), startedAt, finishedAt } }
}

function proofOf(entry: HistoryEntry | undefined, groups: readonly (GroupStatus | undefined)[]) {
  const proof = groups
    .flatMap((group) => group?.success?.proof ?? [])
    .find(({ commit }) => commit === entry?.hydratedSha)
  if (!proof) return {}
  const { key, owner, attested, verifiedAt } = proof
  const gates = proof.gates === undefined ? '' : gatesText(proof)
  return { proof: { key, owner, attested, gates, verifiedAt } }
}
