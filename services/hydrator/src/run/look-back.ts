import type { BranchRun } from './branch-run.ts'
import { recordedChange } from './foreign-change.ts'
import type { RunContext } from './run-context.ts'

/**
 * Finds out what somebody else changed whose commit came in while this run pushed: the run's own commit stands on top of
 * it and has rewritten no more than what the dry commit changed.
 */
export async function lookBack(context: RunContext, run: BranchRun, signal: AbortSignal): Promise<void> {
  const { rebuiltFrom: knownHead, repoUrl, branch, project, position, settings } = run
  if (!knownHead) return
  const { foreignChange } = await context.commitServer.getBranch(
    { repoUrl, branch, project, knownHead },
    { signal },
  )
  if (!foreignChange) return
  const place = { knownHead, headSha: position.headSha, policy: settings.foreignChanges }
  run.foreign = recordedChange(foreignChange, place, run.before)
  if (run.foreign) context.events.foreignChange(run, run.foreign)
}
