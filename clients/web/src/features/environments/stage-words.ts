import type {
  Environments,
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { t } from '../../language/t.ts'

/** Returns a text that a stage has alone. */
export function stageKey({ repoUrl, branch, targetRevision, promotedFrom }: Stage): string {
  return [repoUrl, branch, targetRevision, promotedFrom].join(' ')
}

/** The way of a commit so far in words: `on 2 of 5 stages, up to env/qa`. */
export function reachText({ stages: having }: TravellingCommit, stages: readonly Stage[]): string {
  if (having.length === 0) return t('on no stage yet')
  if (having.length === stages.length)
    return stages.length === 1 ? t('on the only stage') : t('on all stages')
  const furthest = stages[Math.max(...having)]?.branch ?? ''
  return t('on {count, number} of {all, number} stages, up to {furthest}', {
    count: having.length,
    all: stages.length,
    furthest,
  })
}

/** The distance of a stage in words; empty when nobody knows it. */
export function behindText(
  { behind, drySha }: Stage,
  { commits, hasMore }: Pick<Environments, 'commits' | 'hasMore'>,
): string {
  if (!commits.some(({ sha }) => sha === drySha)) return ''
  if (behind === 0) return t('up to date')
  // Between commits that are left out are others that the stage does not have either.
  return hasMore
    ? t('{count, number}+ behind', { count: behind })
    : t('{count, number} behind', { count: behind })
}

/** The last parts of a repository's URL. */
export function repositoryName(repoUrl: string): string {
  const path = repoUrl.replace(/\/+$/, '').replace(/\.git$/, '')
  return path.split(/[/:]/).slice(-2).join('/')
}
