import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { HydrateApplicationRequest } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import { settingsOfBranch } from '../left-to-argo-cd.ts'
import type { RunContext } from '../run/run-context.ts'

/** Queues the branch of an Application. */
export function hydrateApplication(
  context: Pick<RunContext, 'index' | 'announcements' | 'operatorViews' | 'status'> & {
    queue: Pick<BranchQueue, 'enqueue'>
  },
) {
  return async (
    { namespace, name }: HydrateApplicationRequest,
    { signal }: Pick<HandlerContext, 'signal'>,
  ) => {
    const { index, announcements, queue, operatorViews, status } = context
    const branchKey = index.branchOf(namespace, name)
    if (branchKey === undefined) {
      throw new NotFoundError(`application ${namespace}/${name} is not known or has no sourceHydrator`)
    }
    // Who asks wants what is there now, not what was announced before.
    announcements.take(branchKey)
    await queue.enqueue(branchKey)
    const { settings } = await operatorViews(signal)
    const { isLeftToArgoCd, error } = settingsOfBranch(settings, index.members(branchKey), status)
    return { branchKey, leftAlone: isLeftToArgoCd ? error : '' }
  }
}
