import type { RefreshRepositoryRequest } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { ApplicationIndex } from '../applications/application-index.ts'
import type { Announcements } from '../watch/announcements.ts'
import type { RepositoryNews } from '../watch/repository-news.ts'
import { branchesFedFrom } from '../watch/poll-repositories.ts'

/** Queues every branch that is fed from a dry repository, and has its pull requests looked at. */
export function refreshRepository(context: {
  index: ApplicationIndex
  queue: BranchQueue
  announcements: Announcements
  news: RepositoryNews
  /** Has the pull requests of a repository looked at. */
  hintReviews: (repoUrl: string) => void
}) {
  return async ({ repoUrl, heads, isWebhook }: RefreshRepositoryRequest) => {
    if (isWebhook) context.news.announced(repoUrl)
    context.hintReviews(repoUrl)
    const keys = branchesFedFrom(context, repoUrl)
    const announced = heads.map(({ branch, sha }) => ({ repoUrl, branch, sha }))
    for (const key of keys) {
      context.announcements.add(key, announced)
      await context.queue.enqueue(key)
    }
    return { branches: keys.length }
  }
}
