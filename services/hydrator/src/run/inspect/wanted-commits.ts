import type { ObservedGroup, ObservedRun } from '../branch-run.ts'
import { heldOf } from './dry-commits.ts'
import type { RunContext } from '../run-context.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { GroupOfRun } from '../run-outcome.ts'

/** A dry commit that a group is to be brought to. */
export interface WantedCommit {
  drySha: string
  /** True if the hydrated commit gets the dry commit's author time. */
  keepDate: boolean
}

/**
 * The dry commits that get a hydrated commit, the oldest first: the newest alone, or with lineage `every` each since the
 * one that the branch holds.
 */
export async function wantedCommits(
  context: RunContext,
  { run, outcome, group }: GroupOfRun,
  signal: AbortSignal,
): Promise<WantedCommit[]> {
  // A chart has versions in the place of a history.
  if (!wantsEvery(run, group) || group.chart !== '') return [{ drySha: group.drySha, keepDate: false }]
  const drySHAs = await missingDryCommits(context, { run, outcome, group }, signal)
  return drySHAs.map((drySha) => ({ drySha, keepDate: true }))
}

/** The dry commits after the one that the branch holds, which an earlier run may have reached without recording it. */
async function missingDryCommits(
  context: RunContext,
  { run, outcome, group }: GroupOfRun,
  signal: AbortSignal,
): Promise<string[]> {
  const isAlone = run.groups.length === 1 && group.sources.length === 1
  const noted = !isAlone ? heldOf(outcome, group) : outcome.position.drySha
  const after = group.before?.success?.drySha ?? noted
  if (after === '' || after === group.drySha) return [group.drySha]
  const { repoUrl, project, drySha: to } = group
  const { shas } = await context.repoServer.listCommits({ repoUrl, project, after, to, limit: 0 }, { signal })
  const missing = shas.slice(shas.indexOf(noted) + 1)
  return missing.length > 0 ? missing : [to]
}

/** A member may ask for `every`; the stricter one applies to the whole group. */
function wantsEvery(run: ObservedRun, group: ObservedGroup): boolean {
  if (run.settings.lineage === 'every') return true
  return factsOf(group.members).asksForEvery
}
