import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { drySourceKey, sameDrySource } from '@wadi/hydration/same-dry-source.ts'
import type { HeldDryCommit } from '@wadi/hydration/hydrator-metadata.ts'
import type { Commit } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ObservedGroup, ObservedSource } from '../branch-run.ts'
import type { RunContext } from '../run-context.ts'
import { type GroupOfRun, landedFor, type RunOutcome } from '../run-outcome.ts'
import { chartHeld } from './source-request.ts'

/** The dry commits of a branch after a commit of one of its groups landed. */
export interface HeldDryCommits {
  /** One for each dry source; none on a branch that one source feeds. */
  dryCommits: HeldDryCommit[]
  /** The newest of them, which promoters read. */
  newest: Commit
  /** The source of the newest. */
  newestSource: CommitSource
}

/** The source of a dry commit: the repository as its Applications spell it, with a chart and its version if it has charts. */
export interface CommitSource {
  repoURL: string
  chart?: string
  version?: string
}

/** The commit of a source of a group. */
export interface SourceCommit {
  /** That of the source in the list. */
  position: number
  source: CommitSource
  commit: Commit
}

/** The dry commit that the branch holds of a group: what this run wrote, else what the note says, else the record. */
export function heldOf(outcome: Pick<RunOutcome, 'landed' | 'position'>, group: ObservedGroup): string {
  const written = landedFor(outcome, group)
  if (written) return written.drySha
  const recorded = group.before?.success?.drySha ?? ''
  const { repoUrl: repoURL, targetRevision, chart, sources } = group
  const noted = outcome.position.dryCommits.find((one) =>
    sameDrySource({ ...one, repoURL: one.repoUrl }, { repoURL, targetRevision, chart }),
  )
  // Groups with several sources may share the first one, and the note names each source once.
  if (sources.length > 1 && recorded !== '') return recorded
  return noted?.drySha ?? recorded
}

/** Returns the dry commits that the branch has of the sources of a group, in their order; empty for unknown ones. */
export function heldSources(
  outcome: Pick<RunOutcome, 'landed' | 'position'>,
  group: ObservedGroup,
): { source: ObservedSource; sha: string }[] {
  const isWritten = landedFor(outcome, group) !== undefined
  return group.sources.map((source, position) => {
    if (position === 0) return { source, sha: heldOf(outcome, group) }
    const recorded = group.before?.success?.others?.[position - 1]?.drySha ?? ''
    return { source, sha: isWritten ? source.drySha : recorded }
  })
}

/**
 * The dry commits of all sources of all groups with a group's commit among them. The newest is the one that was committed last,
 * whichever group ran last: so what promoters read does not go back when an older source is hydrated.
 */
export async function heldWith(
  context: RunContext,
  { run, outcome, group, commit }: GroupOfRun & { commit: Commit },
  signal: AbortSignal,
): Promise<HeldDryCommits> {
  const [first] = group.sources
  if (!first) throw new Error('a group has no source')
  const alone = { dryCommits: [], newest: commit, newestSource: commitSource(group, first, commit.sha) }
  if (run.groups.length < 2 && group.sources.length < 2) return alone
  const own = group.sources.map((source, index) => ({
    source,
    sha: index === 0 ? commit.sha : source.drySha,
  }))
  const all = run.groups.flatMap((of) => {
    const sources = of === group ? own : heldSources(outcome, of)
    // A source that several groups read is named once: as this group has it, else as the one that begins with it.
    return sources.map((one, position) => ({ ...one, of, rank: of === group ? 0 : position === 0 ? 1 : 2 }))
  })
  const known = all.filter(({ sha }) => sha !== '')
  const bySource = Map.groupBy(known, ({ source }) => drySourceKey({ ...source, repoURL: source.repoUrl }))
  const dryCommits: HeldDryCommit[] = []
  const held = { ...alone, dryCommits }
  for (const same of bySource.values()) {
    const [one] = same.toSorted((a, b) => a.rank - b.rank)
    if (!one) continue
    const { of, source, sha: drySha } = one
    const { repoUrl, targetRevision, chart } = source
    dryCommits.push({ repoUrl, targetRevision, ...(chart !== '' && { chart }), drySha })
    const other = await readSourceCommit(context, { outcome, group: of, source, sha: drySha }, signal)
    if (other && isNewer(other, held.newest))
      Object.assign(held, { newest: other, newestSource: commitSource(of, source, drySha) })
  }
  return dryCommits.length < 2 ? alone : held
}

/**
 * The commits of the sources of a group for one of its dry commits, in their order; one that is gone is left out.
 */
export async function commitsOf(
  context: RunContext,
  { outcome, group, drySha }: Pick<GroupOfRun, 'outcome' | 'group'> & { drySha: string },
  signal: AbortSignal,
): Promise<SourceCommit[]> {
  const found = group.sources.map(async (source, position): Promise<SourceCommit[]> => {
    const sha = position === 0 ? drySha : source.drySha
    const commit = await readSourceCommit(context, { outcome, group, source, sha }, signal)
    return commit ? [{ position, source: commitSource(group, source, sha), commit }] : []
  })
  return (await Promise.all(found)).flat()
}

/** The newest of some commits; of none there is none. */
export function newestOf(commits: readonly SourceCommit[]): SourceCommit | undefined {
  return commits.toSorted((a, b) => (isNewer(a.commit, b.commit) ? -1 : 1))[0]
}

/** Reads a commit of a source of a group, once a run; undefined for one that is gone from its repository. */
async function readSourceCommit(
  context: RunContext,
  {
    outcome,
    group,
    source,
    sha,
  }: Pick<GroupOfRun, 'outcome' | 'group'> & { source: ObservedSource; sha: string },
  signal: AbortSignal,
): Promise<Commit | undefined> {
  const known = outcome.commits.get(sha)
  if (known) return known
  const chart = chartHeld(group, source, sha)
  const request = { repoUrl: source.repoUrl, project: group.project, sha, ...(chart && { chart }) }
  try {
    const commit = await context.shared.getCommit(request, signal)
    outcome.commits.set(sha, commit)
    return commit
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

function commitSource(group: ObservedGroup, source: ObservedSource, sha: string): CommitSource {
  const chart = chartHeld(group, source, sha)
  return { repoURL: source.repoUrl, ...(chart && { chart: chart.name, version: chart.version }) }
}

/** By the time of the commit, and by its id within one second, so that every run finds the same one. */
function isNewer(a: Commit, b: Commit): boolean {
  const difference = timeOf(a) - timeOf(b)
  return difference === 0 ? a.sha > b.sha : difference > 0
}

/** Repo-servers of older versions return only the author's time. */
function timeOf({ committerDate, date }: Commit): number {
  // Nobody says when a chart in a registry was made, so every commit is newer.
  return Date.parse(committerDate || date) || 0
}
