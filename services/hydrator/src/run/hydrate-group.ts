import type { BranchRun, GroupRun } from './branch-run.ts'
import type { RunContext } from './run-context.ts'
import { commitGroup } from './commit.ts'
import { type DirectoryFaults, failureOf } from './directory-faults.ts'
import { heldOf } from './dry-commits.ts'
import { inspect } from './inspect.ts'

/**
 * Brings one group of a branch to its newest dry commit; with lineage `every` each dry commit since the one that the
 * branch holds gets a hydrated commit of its own, the oldest first. One in between that cannot be rendered is passed
 * over, as a later one may have mended it; a fault in the newest fails the group and leaves the branch as it was.
 */
export async function hydrateGroup(
  run: BranchRun,
  group: GroupRun,
  context: RunContext,
  signal: AbortSignal,
): Promise<void> {
  const every = wantsEvery(run, group)
  const drySHAs = every ? await missingDryCommits(run, group, context, signal) : [group.drySha]
  for (const drySha of drySHAs) {
    const faults = await hydrateCommit(run, group, { drySha, keepDate: every }, context, signal)
    const { failures } = faults
    if (failures.length === 0) group.hydratedSha = run.position.headSha
    else if (drySha === group.drySha) group.failure = failureOf(faults)
    else context.events.passedOver(run, drySha, failures)
  }
}

async function hydrateCommit(
  run: BranchRun,
  group: GroupRun,
  commit: { drySha: string; keepDate: boolean },
  context: RunContext,
  signal: AbortSignal,
): Promise<DirectoryFaults> {
  const plan = await inspect(run, group, commit.drySha, context, signal)
  if (plan.faults.failures.length > 0) return plan.faults
  return commitGroup(run, group, plan, commit.keepDate, context, signal)
}

/** The dry commits after the one that the branch holds, which an earlier run may have reached without recording it. */
async function missingDryCommits(
  run: BranchRun,
  group: GroupRun,
  context: RunContext,
  signal: AbortSignal,
): Promise<string[]> {
  const noted = run.groups.length > 1 ? heldOf(run, group) : run.position.drySha
  const after = group.before?.success?.drySha ?? noted
  if (after === '' || after === group.drySha) return [group.drySha]
  const { repoUrl, project, drySha: to } = group
  const { shas } = await context.repoServer.listCommits({ repoUrl, project, after, to, limit: 0 }, { signal })
  const missing = shas.slice(shas.indexOf(noted) + 1)
  return missing.length > 0 ? missing : [to]
}

/** A member may ask for `every`; the stricter wish counts for the whole group. */
function wantsEvery(run: BranchRun, group: GroupRun): boolean {
  if (run.settings.lineage === 'every') return true
  return group.members.some(({ application }) => application.annotations['wadi.dev/lineage'] === 'every')
}
