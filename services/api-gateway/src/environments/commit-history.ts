import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import type { HistoryEntry, ListHistoryResponse } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import type { GatewayContext } from '../context.ts'
import { keepAnswers } from './kept-answers.ts'
import type { StagePlan } from './stage-plans.ts'
import type { StagedApplication } from './staged-applications.ts'

/** The newest hydrated commits of a branch that are looked through. */
const maxEntries = 50

/** Commits of others on a branch are seen this late; pages that follow the server ask many times a minute. */
const keptMs = 60_000
const maxKept = 500

/** Directories of one call of commit-server. */
const maxPaths = 1_000

/** Branches that are read at a time. */
const branchesAtOnce = 8

/** People wait for the answer; a repository that hangs must not keep the rest from them. */
const maxReadMs = 10_000

/** The newest hydrated commits of a branch that changed its Applications. */
export interface StageHistory {
  /** The newest first. */
  readonly entries: readonly HistoryEntry[]
  /** True if older ones are left out. */
  readonly hasMore: boolean
  /** The reason why they cannot be read; empty if they were. */
  readonly error: string
}

const nothing: StageHistory = { entries: [], hasMore: false, error: '' }

/** The directory of an Application as commit-server names it. */
export function directoryOf({ source }: StagedApplication): string {
  return cleanDestinationPath(source.spec.syncPath)
}

/** Reads the histories of stages that are hydrated to, in their order. */
export type ReadStageHistories = (plans: readonly StagePlan[], signal: AbortSignal) => Promise<StageHistory[]>

/** Opens the reading of histories, which asks commit-server once for each head that Wadi left. */
export function openStageHistories({
  commitServer,
  summaries,
}: Pick<GatewayContext, 'commitServer' | 'summaries'>): ReadStageHistories {
  const kept = keepAnswers<ListHistoryResponse>(maxKept, keptMs)
  const read = async ({ applications, branch, branchKey }: StagePlan): Promise<StageHistory> => {
    const record = summaries.record(branchKey)
    // Before the first run the branch may not be there.
    if (!record) return nothing
    const { repoUrl, project, status } = record
    const [path = '', ...otherPaths] = applications.slice(0, maxPaths).map(directoryOf)
    const request = { repoUrl, project, branch, path, otherPaths, limit: maxEntries }
    const { entries } = await kept.ask(JSON.stringify([request, knownHeadOf(status)]), () =>
      commitServer.listHistory(request, { timeoutMs: maxReadMs }),
    )
    return { entries, hasMore: entries.length === maxEntries, error: '' }
  }
  return (plans, signal) =>
    mapWithLimit(plans, branchesAtOnce, async (plan) => {
      if (plan.promotedFrom !== '') return nothing
      try {
        return await read(plan)
      } catch (error) {
        signal.throwIfAborted()
        return { ...nothing, error: errorMessage(error) }
      }
    })
}
