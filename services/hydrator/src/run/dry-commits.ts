import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import type { HeldDryCommit } from '@wadi/hydration/hydrator-metadata.ts'
import type { Commit } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ObservedGroup } from './branch-run.ts'
import type { RunContext } from './run-context.ts'
import { type GroupOfRun, landedFor, type RunOutcome } from './run-outcome.ts'

/** What a branch holds once a commit of one of its groups landed. */
export interface HeldDryCommits {
  /** One for each dry source; none on a branch that one source feeds. */
  dryCommits: HeldDryCommit[]
  /** The newest of them, which promoters read. */
  newest: Commit
  /** The repository of the newest, as its Applications spell it. */
  newestRepoURL: string
}

/** The dry commit that the branch holds of a group: what this run wrote, else what the note says, else the record. */
export function heldOf(outcome: Pick<RunOutcome, 'landed' | 'position'>, group: ObservedGroup): string {
  const written = landedFor(outcome, group)
  if (written) return written.drySha
  const repository = normalizeRepositoryUrl(group.repoUrl)
  const noted = outcome.position.dryCommits.find(
    ({ repoUrl, targetRevision }) =>
      targetRevision === group.targetRevision && normalizeRepositoryUrl(repoUrl) === repository,
  )
  return noted?.drySha ?? group.before?.success?.drySha ?? ''
}

/**
 * The dry commits of all groups with a group's commit among them. The newest is the one that was committed last, whichever
 * group ran last: so what promoters read does not go back when an older source is hydrated.
 */
export async function heldWith(
  context: RunContext,
  { run, outcome, group, commit }: GroupOfRun & { commit: Commit },
  signal: AbortSignal,
): Promise<HeldDryCommits> {
  const alone = { dryCommits: [], newest: commit, newestRepoURL: group.repoUrl }
  if (run.groups.length < 2) return alone
  const dryCommits: HeldDryCommit[] = []
  const held = { ...alone, dryCommits }
  for (const each of run.groups) {
    const drySha = each === group ? commit.sha : heldOf(outcome, each)
    if (drySha === '') continue
    dryCommits.push({ repoUrl: each.repoUrl, targetRevision: each.targetRevision, drySha })
    const other =
      each === group ? commit : await readCommit(context, { outcome, group: each, sha: drySha }, signal)
    if (other && isNewer(other, held.newest))
      Object.assign(held, { newest: other, newestRepoURL: each.repoUrl })
  }
  return dryCommits.length < 2 ? alone : held
}

/** Reads a dry commit, once a run; undefined for one that is gone from its repository. */
export async function readCommit(
  context: RunContext,
  { outcome, group, sha }: Pick<GroupOfRun, 'outcome' | 'group'> & { sha: string },
  signal: AbortSignal,
): Promise<Commit | undefined> {
  const { repoUrl, project } = group
  const known = outcome.commits.get(sha)
  if (known) return known
  try {
    const { commit } = await context.repoServer.getCommit({ repoUrl, project, sha }, { signal })
    if (!commit) throw new Error('repo-server returned no commit')
    outcome.commits.set(sha, commit)
    return commit
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

/** By the time of the commit, and by its id within one second, so that every run finds the same one. */
function isNewer(a: Commit, b: Commit): boolean {
  const difference = timeOf(a) - timeOf(b)
  return difference === 0 ? a.sha > b.sha : difference > 0
}

/** Repo-servers of older versions return only the author's time. */
function timeOf({ committerDate, date }: Commit): number {
  return Date.parse(committerDate || date)
}
