import { errorMessage, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { commitGoneCode } from '@wadi/hydration/error-codes.ts'
import type { RunContext } from '../run-context.ts'
import type { RunInProgress } from '../run-outcome.ts'

/**
 * Has commit-server put back what Wadi had written. When the commit that Wadi left is gone from the repository, the groups
 * write everything again instead.
 * @throws the error of the push
 */
export async function restore(
  context: RunContext,
  { run, outcome }: RunInProgress,
  signal: AbortSignal,
): Promise<void> {
  const { foreign } = outcome
  if (!foreign) return
  const { repoUrl, branch, project, settings } = run
  const { knownHead, headSha: head } = foreign
  const { authorName, authorEmail } = settings
  const request = { repoUrl, branch, project, knownHead, head, authorName, authorEmail }
  try {
    const { position } = await context.commitServer.restoreBranch(request, { signal })
    if (!position) throw new Error('commit-server returned no branch position')
    outcome.position = position
    outcome.known = await context.known.fingerprints(run.key, position.headSha, knownHead)
    context.events.restored(run, foreign, position.headSha)
    outcome.foreign = undefined
  } catch (error) {
    if (!(error instanceof FailedPreconditionError && error.code === commitGoneCode)) throw error
    outcome.isHeadGone = true
    context.events.notRestored(run, errorMessage(error))
  }
}
