import { NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import type { Call } from '../authorization/authorization.ts'
import type { GatewayContext } from '../context.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

type RightContext = Pick<GatewayContext, 'summaries' | 'authorization'>

/** Returns true for the keys of branches whose pull requests the caller may change: a merge deploys all Applications on the branch. */
export function mayChangePullRequests(
  { summaries, authorization }: RightContext,
  call: Call,
): (key: string) => boolean {
  const maySync = authorization.allowsEach(call, 'applications', 'sync')
  return (key) => summaries.onBranch(key).every(({ source }) => maySync(source.object))
}

/**
 * Makes sure that the caller may change the pull request of a branch.
 * @throws NotFoundError if the caller may see no Application on it, PermissionDeniedError
 */
export function requirePullRequestRight(
  context: RightContext,
  call: Call,
  { repoUrl, branch }: { repoUrl: string; branch: string },
): void {
  const { summaries, authorization } = context
  const applications = summaries.onBranch(branchKey(repoUrl, branch))
  const visible = applications.filter(visibleTo(authorization, call))
  if (visible.length === 0) {
    throw new NotFoundError(`branch ${JSON.stringify(branch)} of ${shownUrl(repoUrl)} not found`)
  }
  for (const { source } of visible) authorization.require(call, 'applications', 'sync', source.object)
  if (mayChangePullRequests(context, call)(branchKey(repoUrl, branch))) return
  throw new PermissionDeniedError(
    `permission denied: applications, sync, on Applications of ${branch} that you may not see`,
  )
}
