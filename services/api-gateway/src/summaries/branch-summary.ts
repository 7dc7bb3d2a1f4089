import { heldVersions } from '@wadi/hydration/held-versions.ts'
import { knownHeadOf, type HydratedBranch, pullRequestText } from '@wadi/hydration/hydrated-branch.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { GatewayContext } from '../context.ts'
import type { Summary } from './application-summary.ts'
import type { IndexedApplication } from './summary-index.ts'

/** People wait for the answer; a hydrator that hangs must not keep the branches from them. */
const maxQueueMs = 5_000

/** A hydrated branch in a list, with the fields of the message `BranchSummary`. */
export interface BranchOverview {
  repoUrl: string
  branch: string
  syncBranches: string[]
  phase: string
  message: string
  queue: string
  applications: number
  drySha: string
  hydratedSha: string
  startedAt: string
  finishedAt: string
  foreignChange: string
  pullRequestUrl: string
  pullRequest: string
  tools: Record<string, string>
}

/** The states of branches in the queue. */
export interface QueueStates {
  /** By the keys of branches; without one for a branch that has no job. */
  states: ReadonlyMap<string, string>
  /** The error of reading the queue; empty if it was read. */
  queueError: string
}

/** Asks the hydrators which branches wait, run or pause. */
export async function readQueue(
  { hydrator }: Pick<GatewayContext, 'hydrator'>,
  signal: AbortSignal,
): Promise<QueueStates> {
  try {
    const { branches } = await hydrator.listQueuedBranches({}, { signal, timeoutMs: maxQueueMs })
    return { states: new Map(branches.map(({ branchKey, state }) => [branchKey, state])), queueError: '' }
  } catch (error) {
    // The branches are worth showing without.
    signal.throwIfAborted()
    return { states: new Map(), queueError: errorMessage(error) }
  }
}

/** Joins the Applications of one branch that somebody may see to what is shown of the branch; undefined without any. */
export function branchOverview(
  applications: readonly IndexedApplication[],
  record: HydratedBranch | undefined,
  queue: string,
): BranchOverview | undefined {
  const [first] = applications
  if (!first?.source.branch) return undefined
  const summaries = applications.map(({ summary }) => summary)
  const newest = summaries.reduce((one, other) => (other.startedAt > one.startedAt ? other : one))
  const phase = worstPhase(summaries)
  const pullRequest = record?.status.pullRequest
  return {
    ...first.source.branch,
    syncBranches: [...new Set(summaries.map(({ syncBranch }) => syncBranch))].toSorted(),
    phase,
    message: phase === 'Failed' ? failureMessage(applications, record) : '',
    queue,
    applications: applications.length,
    drySha: newest.drySha,
    hydratedSha:
      record && summaries.some(({ hydratedSha }) => hydratedSha !== '') ? knownHeadOf(record.status) : '',
    startedAt: newest.startedAt,
    finishedAt: newest.finishedAt,
    foreignChange: summaries.find(({ foreignChange }) => foreignChange !== '')?.foreignChange ?? '',
    pullRequestUrl: pullRequest?.url ?? '',
    pullRequest: pullRequest ? pullRequestText(pullRequest) : '',
    tools: { ...heldVersions(record?.status) },
  }
}

function worstPhase(summaries: readonly Summary[]): string {
  const phases = new Set(summaries.map(({ phase }) => phase))
  return ['Failed', 'Hydrating', 'Hydrated'].find((phase) => phases.has(phase)) ?? ''
}

/** The failure of an Application itself, before that of one which waits for another. */
function failureMessage(
  applications: readonly IndexedApplication[],
  record: HydratedBranch | undefined,
): string {
  const failures = new Set(
    record?.status.groups.flatMap((group) => group.failures.map((one) => one.application)),
  )
  const failed = applications.filter(({ summary }) => summary.phase === 'Failed')
  const own = failed.find(({ source }) => failures.has(source.member?.name ?? ''))
  return (own ?? failed[0])?.summary.message ?? ''
}
