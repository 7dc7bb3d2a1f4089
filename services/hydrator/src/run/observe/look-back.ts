import { recordedChange } from './foreign-change.ts'
import { foreignSigner } from './foreign-signer.ts'
import type { RunContext } from '../run-context.ts'
import { rebuiltFrom, type RunInProgress } from '../run-outcome.ts'

/**
 * Finds out what somebody else changed whose commit came in while this run pushed: the run's own commit stands on top of
 * it and has rewritten no more than what the dry commit changed.
 */
export async function lookBack(
  context: RunContext,
  { run, outcome }: RunInProgress,
  signal: AbortSignal,
): Promise<void> {
  const { repoUrl, branch, project, settings } = run
  const knownHead = rebuiltFrom(outcome)
  if (!knownHead) return
  const { foreignChange } = await context.commitServer.getBranch(
    { repoUrl, branch, project, knownHead },
    { signal },
  )
  if (!foreignChange) return
  const members = run.groups.flatMap((group) => group.members)
  const signer = await foreignSigner(context, { repoUrl, members }, foreignChange, signal)
  const { headSha } = outcome.position
  const place = { knownHead, headSha, policy: settings.foreignChanges, signer }
  outcome.foreign = recordedChange(foreignChange, place, run.before)
  if (outcome.foreign) context.events.foreignChange(run, outcome.foreign)
}
