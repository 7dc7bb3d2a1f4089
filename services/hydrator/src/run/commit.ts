import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { CommitManifestsResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { commitFacts } from '../documents/hydrator-metadata.ts'
import { commitHeader, commitRequests } from './commit-requests.ts'
import { type DirectoryErrors, noErrors } from './directory-errors.ts'
import { heldWith, readCommit } from './dry-commits.ts'
import type { RunContext } from './run-context.ts'
import type { PlannedOfGroup, RenderedDirectory } from './render.ts'
import type { GroupOfRun } from './run-outcome.ts'
import { unclaimedPaths } from './unclaimed-paths.ts'

/** A first hydration of many thousand directories takes its time; commit-server ends no call before this. */
const maxRunMs = 30 * 60_000

/** A dry commit of a group and what its directories are rendered to. */
export interface RenderedOfGroup extends PlannedOfGroup {
  rendered: AsyncIterable<RenderedDirectory>
}

interface PushedCommit extends PlannedOfGroup {
  answer: CommitManifestsResponse
  newestDrySha: string
}

/**
 * Sends what is rendered straight into commit-server's stream, so no more than one directory is held here at a time, and
 * moves the run's position to the new head. When a directory has an error the stream is given up, nothing lands and the
 * errors of all members are returned.
 */
export async function commitRendered(
  context: RunContext,
  { rendered: directories, ...planned }: RenderedOfGroup,
  signal: AbortSignal,
): Promise<DirectoryErrors> {
  const { outcome, group, drySha } = planned
  const removedPaths = await prunedPaths(context, planned, signal)
  const commit = await readCommit(context, { outcome, group, sha: drySha }, signal)
  if (!commit) throw new NotFoundError(`dry commit ${drySha} is gone from ${group.repoUrl}`)
  const held = await heldWith(context, { ...planned, commit }, signal)
  const engine = await context.templates()
  const documented = { ...planned, engine, facts: commitFacts(group.repoUrl, commit) }
  const header = commitHeader(documented, { commit, held, removedPaths })
  const errors = noErrors()
  const requests = commitRequests(documented, header, directories, errors)
  try {
    const answer = await context.commitServer.commitManifests(requests, { signal, timeoutMs: maxRunMs })
    await moveOn(context, { ...planned, answer, newestDrySha: held.newest.sha })
  } catch (error) {
    if (errors.failures.length === 0) throw error
  }
  return errors
}

/** Takes over the new head and remembers what its directories were rendered from. */
async function moveOn(
  context: RunContext,
  { run, outcome, group, drySha, plan, answer, newestDrySha }: PushedCommit,
): Promise<void> {
  const from = outcome.position.headSha
  const { hydratedSha: headSha, anonymous } = answer
  // A commit-server of an older version returns no position.
  outcome.position = answer.position ?? { ...outcome.position, headSha, drySha: newestDrySha, noteId: '' }
  outcome.landed.push({
    group,
    drySha,
    hydratedSha: outcome.position.headSha,
    rebuiltFrom: answer.rebuilt ? from : undefined,
    anonymous,
  })
  if (!answer.rebuilt) outcome.foreign = undefined
  const held = new Map(outcome.held)
  for (const path of held.keys()) if (!run.claimed.has(path)) held.delete(path)
  for (const [path, fingerprint] of plan.fingerprints) held.set(path, fingerprint)
  // What a foreign commit changed elsewhere is not known, so what comes next compares the whole branch.
  outcome.held = answer.rebuilt ? undefined : held
  if (!answer.rebuilt) await context.fingerprints.write(run.key, answer.hydratedSha, held)
  context.events.committed(run, group, answer)
}

/** The directories to remove; none unless the operator, or with an annotation a member, asks for pruning. */
async function prunedPaths(
  context: RunContext,
  { run, group }: GroupOfRun,
  signal: AbortSignal,
): Promise<string[]> {
  const asked = group.members.some(({ application }) => application.annotations['wadi.dev/prune'] === 'true')
  if (!run.settings.prune && !asked) return []
  return unclaimedPaths(context, { ...run, project: group.project }, signal)
}
