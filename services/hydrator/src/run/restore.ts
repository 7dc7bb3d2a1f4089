import { errorMessage, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { commitGoneCode } from '@wadi/hydration/error-codes.ts'
import type { BranchRun } from './branch-run.ts'
import type { RunContext } from './run-context.ts'

/**
 * Has commit-server put back what Wadi had written. When the commit that Wadi left is gone from the repository, the groups
 * write everything again instead.
 * @throws what the push throws
 */
export async function restore(context: RunContext, run: BranchRun, signal: AbortSignal): Promise<void> {
  const { foreign } = run
  if (!foreign) return
  const { repoUrl, branch, project, settings } = run
  const { knownHead, headSha: head } = foreign
  const { authorName, authorEmail } = settings
  const request = { repoUrl, branch, project, knownHead, head, authorName, authorEmail }
  try {
    const { position } = await context.commitServer.restoreBranch(request, { signal })
    if (!position) throw new Error('commit-server returned no branch position')
    run.position = position
    run.held = await context.fingerprints.move(run.key, knownHead, position.headSha)
    context.events.restored(run, foreign)
    run.foreign = undefined
  } catch (error) {
    if (!(error instanceof FailedPreconditionError && error.code === commitGoneCode)) throw error
    context.events.notRestored(run, errorMessage(error))
  }
}
