import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { HydrateApplicationRequest } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { Announcements } from '../watch/announcements.ts'
import type { ApplicationIndex } from '../applications/application-index.ts'

/** Queues the branch of an Application. */
export function hydrateApplication(context: {
  index: ApplicationIndex
  queue: BranchQueue
  announcements: Announcements
}) {
  return async ({ namespace, name }: HydrateApplicationRequest) => {
    const branchKey = context.index.branchOf(namespace, name)
    if (branchKey === undefined) {
      throw new NotFoundError(`application ${namespace}/${name} is not known or has no sourceHydrator`)
    }
    // Who asks wants what is there now, not what was announced before.
    context.announcements.take(branchKey)
    await context.queue.enqueue(branchKey)
    return { branchKey }
  }
}
