import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import type { CommitManifestsResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { commitFacts } from '../../documents/hydrator-metadata.ts'
import { documentTemplates } from '../../documents/render-documents.ts'
import { commitHeader, commitRequests } from './commit-requests.ts'
import { type DirectoryErrors, noErrors } from '../directory-errors.ts'
import { commitsOf, heldWith, newestOf } from '../inspect/dry-commits.ts'
import type { MadeInPass } from '../definitions/made-kinds.ts'
import type { Fingerprints } from '../branch-run.ts'
import type { RunContext } from '../run-context.ts'
import type { PlannedOfGroup, RenderedDirectory } from '../render/render.ts'
import type { GroupOfRun } from '../run-outcome.ts'
import { maxRunMs } from '../reuse/shared-calls.ts'
import { factsOf } from '../../applications/member-facts.ts'
import { unclaimedPaths } from './unclaimed-paths.ts'

/** More are only needed where each render finds other definitions. */
const maxPasses = 4

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
  const { outcome, group, drySha, plan } = planned
  const removedPaths = await prunedPaths(context, planned, signal)
  const commits = await commitsOf(context, { outcome, group, drySha }, signal)
  const [first] = commits
  if (first?.position !== 0) throw new NotFoundError(`dry commit ${drySha} is gone from ${group.repoUrl}`)
  const { commit } = first
  const held = await heldWith(context, { ...planned, commit }, signal)
  const templates = await documentTemplates(context.templates, planned.run.settings)
  const shown = newestOf(commits) ?? first
  const documented = { ...planned, templates, commits, shown, facts: commitFacts(first.source, commit) }
  const header = commitHeader(documented, { held, removedPaths })
  const errors = noErrors()
  let failure: unknown
  const rendering = watched(directories, (error) => (failure = error))
  const found: Parameters<RunContext['events']['found']>[] = []
  const requests = commitRequests(documented, header, rendering, errors, {
    onFindings: (members, findings) => found.push([planned.run, members, findings]),
    onEnd: async () => {
      plan.outdatedBy = await outdatedBy(context, planned, signal)
    },
  })
  const isUnchanged = plan.changed.length === 0
  try {
    const answer =
      (isUnchanged ? await context.shared.commitUnchanged(header, signal) : undefined) ??
      (await context.commitServer.commitManifests(requests, { signal, timeoutMs: maxRunMs }))
    await moveOn(context, { ...planned, answer, newestDrySha: held.newest.sha })
  } catch (error) {
    if (errors.failures.length === 0 && !plan.outdatedBy) throw failure ?? error
  }
  if (!plan.outdatedBy) for (const one of found) context.events.found(...one)
  return errors
}

/** Returns what was rendered, if the branch has other definitions with it than those by which objects were checked; undefined if it has the same. */
async function outdatedBy(
  context: RunContext,
  { run, outcome, plan, made }: PlannedOfGroup,
  signal: AbortSignal,
): Promise<MadeInPass | undefined> {
  const { wantsDefinitions: wanting, definitions, objects, defined } = plan
  if (wanting.size === 0) return undefined
  const { readBranchDefinitions } = await import('../definitions/branch-definitions.ts')
  const { madeIn } = await import('../definitions/made-kinds.ts')
  const now = madeIn(made, { objects, definitions: defined })
  if (now.passes === maxPasses) return undefined
  const next = await readBranchDefinitions(context, { run, outcome, made: now, wanting }, signal)
  const isSame = [...wanting].every((directory) => next.of(directory)?.id === definitions.of(directory)?.id)
  return isSame ? undefined : now
}

/** Passes items on, and the error that ends them to `onFailure` too: the stream to commit-server does not give it back as it was. */
async function* watched<T>(items: AsyncIterable<T>, onFailure: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    onFailure(error)
    throw error
  }
}

/** Returns true if a commit may be pushed for a plan; with nothing rendered or removed, an existing branch only gets a note. */
export function mayMoveBranch({ run, outcome, group, plan }: PlannedOfGroup): boolean {
  return plan.changed.length > 0 || outcome.position.headSha === '' || wantsPruning({ run, group })
}

/** Takes over the new head and remembers what its directories were rendered from. */
async function moveOn(
  context: RunContext,
  { run, outcome, group, drySha, plan, answer, newestDrySha }: PushedCommit,
): Promise<void> {
  const { headSha: from, noteProblem } = outcome.position
  const { hydratedSha: headSha, anonymous, proof } = answer
  // A commit-server of an older version returns no position.
  outcome.position = answer.position ?? { ...outcome.position, headSha, drySha: newestDrySha, noteId: '' }
  outcome.landed.push({
    group,
    drySha,
    hydratedSha: outcome.position.headSha,
    rebuiltFrom: answer.rebuilt ? from : undefined,
    anonymous,
    proof,
  })
  if (!answer.rebuilt) outcome.foreign = undefined
  await noteObjects(context, { run, outcome, group, plan, from })
  const known = knownAfter({ run, outcome, plan })
  for (const [path, definitions] of plan.defined)
    context.known.recordDefinitions(run.key, path, known.get(path), definitions)
  // What a foreign commit changed elsewhere is not known, so what comes next compares the whole branch.
  outcome.known = answer.rebuilt ? undefined : known
  if (!answer.rebuilt) await context.known.record(run.key, answer.hydratedSha, known)
  context.events.committed(run, group, answer)
  if (noteProblem) context.events.noteReplaced(run, from, noteProblem)
}

/** Finds out which objects several Applications make now, before the head is known as hydrated: what is not noted is rendered again. */
async function noteObjects(
  context: RunContext,
  {
    run,
    outcome,
    group,
    plan,
    from,
  }: Pick<PlannedOfGroup, 'run' | 'outcome' | 'group' | 'plan'> & { from: string },
): Promise<void> {
  const to = outcome.position.headSha
  const isAsBefore =
    plan.changed.length === 0 && to === from && group.digest === group.before?.success?.members
  if (isAsBefore) return
  const sameAs = outcome.known && run.before ? knownHeadOf(run.before) : ''
  outcome.repeated = await context.known.recordObjects({ run, from, sameAs, to, rendered: plan.objects })
}

/** Returns the fingerprints of the branch after a plan was carried out. */
function knownAfter({
  run: { claimed },
  outcome: { known: before },
  plan,
}: Pick<PlannedOfGroup, 'run' | 'outcome' | 'plan'>): Fingerprints {
  const { changed, fingerprints, rendered } = plan
  const landed = changed.map(({ directory: { path }, fingerprint }) => [path, fingerprint] as const)
  const now = (before ? before.with(landed) : fingerprints).with(rendered)
  const unclaimed = [...now.keys()].filter((path) => !claimed.has(path))
  const known = now.with(unclaimed.map((path) => [path, undefined] as const))
  // The next plan is made from this one, so it differs from this one's map by fewer steps.
  return fingerprints.differingFrom(known).length === 0 ? fingerprints : known
}

/** The directories to remove; none unless the operator, or with an annotation a member, asks for pruning. */
async function prunedPaths(
  context: RunContext,
  { run, group }: GroupOfRun,
  signal: AbortSignal,
): Promise<string[]> {
  if (!wantsPruning({ run, group })) return []
  return unclaimedPaths(context, { ...run, project: group.project }, signal)
}

function wantsPruning({ run, group }: Pick<GroupOfRun, 'run' | 'group'>): boolean {
  return run.settings.prune || factsOf(group.members).asksForPruning
}
