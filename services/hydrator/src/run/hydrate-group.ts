import type { BranchRun, GroupRun, RunContext } from './branch-run.ts'
import { commitGroup } from './commit.ts'
import { inspect } from './inspect.ts'

/**
 * Brings one group of a branch to its newest dry commit; with lineage `every` each dry commit since the last success
 * gets a hydrated commit of its own, the oldest first. A fault fails the group and leaves the branch as it was.
 */
export async function hydrateGroup(
  run: BranchRun,
  group: GroupRun,
  context: RunContext,
  signal: AbortSignal,
): Promise<void> {
  for (const drySha of await dryCommits(run, group, context, signal)) {
    const plan = await inspect(run, group, drySha, context, signal)
    if (!plan) return
    const failures = await commitGroup(run, group, plan, context, signal)
    if (failures.length > 0) {
      group.failure = { message: '', failures }
      return
    }
    group.hydratedSha = run.position.headSha
  }
}

async function dryCommits(
  run: BranchRun,
  group: GroupRun,
  context: RunContext,
  signal: AbortSignal,
): Promise<string[]> {
  const after = group.before?.success?.drySha
  const every = wantsEvery(run, group) && after !== undefined && after !== group.drySha
  if (!every) return [group.drySha]
  const { repoURL: repoUrl, project } = group
  const { shas } = await context.repoServer.listCommits(
    { repoUrl, project, after, to: group.drySha, limit: 0 },
    { signal },
  )
  return shas
}

/** A member may ask for `every`; the stricter wish counts for the whole group. */
function wantsEvery(run: BranchRun, group: GroupRun): boolean {
  if (run.settings.lineage === 'every') return true
  return group.members.some(({ application }) => application.annotations['wadi.dev/lineage'] === 'every')
}
