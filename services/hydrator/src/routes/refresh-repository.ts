import type { RefreshRepositoryRequest } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { ApplicationIndex } from '../applications/application-index.ts'
import { branchesFedFrom } from '../watch/poll-repositories.ts'

/** Queues every branch that is fed from a dry repository. */
export function refreshRepository(context: { index: ApplicationIndex; queue: BranchQueue }) {
  return async ({ repoUrl }: RefreshRepositoryRequest) => {
    const keys = branchesFedFrom(context, repoUrl)
    for (const key of keys) await context.queue.enqueue(key)
    return { branches: keys.length }
  }
}
