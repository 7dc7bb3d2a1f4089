import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { ListCommitsBetweenResponse } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GatewayContext } from '../context.ts'
import { keepAnswers } from './kept-answers.ts'
import type { StageFields } from './stage.ts'
import type { DryRepository } from './staged-applications.ts'

/** Histories do not change; who may no longer read a repository soon sees no more of it. */
const keptMs = 10 * 60_000
const maxKept = 100

/** People wait for the answer; a repository that hangs must not keep the rest from them. */
const maxReadMs = 10_000

/** The dry commits of stages, or the reason why they cannot be read. */
interface DryCommits extends Pick<ListCommitsBetweenResponse, 'commits' | 'hasMore'> {
  /** Empty if they were read. */
  readonly error: string
}

/** Reads the dry commits from that of the newest stage to that of the oldest, at most `limit` beside those of stages. */
export type ReadDryCommits = (
  repository: DryRepository,
  stages: readonly Pick<StageFields, 'drySha' | 'nextDrySha'>[],
  limit: number,
  signal: AbortSignal,
) => Promise<DryCommits>

/** Opens the reading of dry commits, which asks repo-server once for what does not change. */
export function openDryCommits({ repoServer }: Pick<GatewayContext, 'repoServer'>): ReadDryCommits {
  const kept = keepAnswers<ListCommitsBetweenResponse>(maxKept, keptMs)
  return async ({ applications, chart }, stages, limit, signal) => {
    const held = stages.flatMap(({ drySha, nextDrySha }) => [drySha, nextDrySha])
    const shas = [...new Set(held)].filter((sha) => sha !== '').toSorted()
    const [first] = applications
    // The versions of a chart have no order.
    if (!first || chart !== '' || shas.length === 0) return { commits: [], hasMore: false, error: '' }
    const request = { repoUrl: first.member.repoURL, project: first.source.spec.project, shas, limit }
    try {
      const { commits, hasMore } = await kept.ask(JSON.stringify(request), () =>
        repoServer.listCommitsBetween(request, { timeoutMs: maxReadMs }),
      )
      return { commits, hasMore, error: '' }
    } catch (error) {
      // The stages are worth showing without.
      signal.throwIfAborted()
      return { commits: [], hasMore: false, error: errorMessage(error) }
    }
  }
}
