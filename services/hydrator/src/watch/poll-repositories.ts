import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { RunContext } from '../run/run-context.ts'
import { observeBranches } from './observe-branches.ts'
import { needsRun } from './needs-run.ts'
import type { Wake } from './wake.ts'

/**
 * Looks at every repository once per interval, and at once when it is woken, and queues the branches that are not what git
 * and the objects ask for or that somebody else changed. This is what makes every other trigger a hint: whatever got lost
 * is found here.
 */
export async function pollRepositories(
  context: RunContext,
  queue: BranchQueue,
  options: { intervalMs: number; wake: Wake },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const branch of await observeBranches(context, signal)) {
        if (needsRun(branch, Date.now())) await queue.enqueue(branch.key)
      }
    } catch (error) {
      if (signal.aborted) return
      context.events.pollFailed(error)
    }
    await options.wake.wait(options.intervalMs, signal)
  }
}

/** The keys of the branches that are fed from a dry repository, in any spelling of its URL. */
export function branchesFedFrom(context: Pick<RunContext, 'index'>, repoUrl: string): string[] {
  const wanted = normalizeRepositoryUrl(repoUrl)
  return context.index
    .branchKeys()
    .filter((key) =>
      context.index
        .members(key)
        .some((member) => normalizeRepositoryUrl(member.spec.drySource.repoURL) === wanted),
    )
}
