import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import type { GatewayContext } from '../context.ts'
import { getStoredApplication } from './read-application.ts'
import { visibleRuns } from './visible-run.ts'

/**
 * Returns the newest runs of the branch that an Application is hydrated to, as far as the caller may see the Applications on it.
 * @throws FailedPreconditionError for an Application that is not hydrated
 */
export async function readBranchRuns(
  context: GatewayContext,
  call: HandlerContext,
  request: { namespace: string; name: string },
) {
  const { application } = await getStoredApplication(context, call, request)
  const target = hydratedBranchOf(application)
  if (!target) throw new FailedPreconditionError(`application ${request.name} has no spec.sourceHydrator`)
  const key = branchKey(target.repoUrl, target.branch)
  const { runs, queue } = await context.hydrator.listRuns({ branchKey: key }, { signal: call.signal })
  const visible = runs.map(visibleRuns(context, call, application, key))
  return { application, runs: visible, queue, repoUrl: redactUrl(target.repoUrl), branch: target.branch }
}
