import type { MessageInitShape } from '@bufbuild/protobuf'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type {
  CommitManifestsRequestSchema,
  CommitManifestsResponse,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { branchFacts, commitFacts, directoryFacts, metadataText } from '../documents/hydrator-metadata.ts'
import { renderCommitMessage, renderReadme } from '../documents/render-documents.ts'
import type { ObservedGroup, ObservedRun } from './branch-run.ts'
import { addError, type DirectoryErrors, noErrors } from './directory-errors.ts'
import { heldWith, readCommit } from './dry-commits.ts'
import type { RunContext } from './run-context.ts'
import type { PlannedOfGroup, RenderedDirectory } from './render.ts'
import type { GroupOfRun, RunOutcome } from './run-outcome.ts'
import { unclaimedPaths } from './unclaimed-paths.ts'

/** Manifests and files are sent in messages of about this many characters, far below every message limit. */
const portionLength = 512 * 1024

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
  const { run, outcome, group, drySha, keepDate, plan } = planned
  const { project } = group
  const removedPaths = await prunedPaths(context, planned, signal)
  const commit = await readCommit(context, { outcome, group, sha: drySha }, signal)
  if (!commit) throw new NotFoundError(`dry commit ${drySha} is gone from ${group.repoUrl}`)
  const facts = commitFacts(group.repoUrl, commit)
  const held = await heldWith(context, { ...planned, commit }, signal)
  const engine = await context.templates()
  const errors = noErrors()
  const abandoned = new Error('a directory has an error')
  const header = {
    repoUrl: run.repoUrl,
    targetBranch: run.branch,
    drySha,
    commitAuthor: commit.author,
    commitMessage: commit.subject,
    commitTime: commit.date,
    base: outcome.position,
    message: renderCommitMessage(engine, run.settings.commitMessageTemplate, facts),
    authorName: run.settings.authorName,
    authorEmail: run.settings.authorEmail,
    authorTime: keepDate ? commit.date : '',
    metadata: metadataText(branchFacts(held)),
    removedPaths,
    project,
    syncBranch: syncBranchOf(run, group),
    dryCommits: held.dryCommits,
    newestDrySha: held.newest.sha,
  }
  async function* requests(): AsyncGenerator<MessageInitShape<typeof CommitManifestsRequestSchema>> {
    yield { message: { case: 'commit', value: header } }
    for await (const rendered of directories) {
      const { directory, error, manifests, files } = rendered
      if (error !== '') addError(errors, directory, rendered)
      if (errors.failures.length > 0) continue
      outcome.rendered++
      addWarnings(outcome, rendered)
      plan.fingerprints.set(directory.path, rendered.fingerprint)
      const directoryInfo = directoryFacts(facts, directory.members, rendered)
      const readme = renderReadme(engine, run.settings.readmeTemplate, directoryInfo)
      const details = { path: directory.path, readme, metadata: metadataText(directoryInfo) }
      const [first = [], ...more] = portions(manifests, (manifest) => manifest.length)
      yield { message: { case: 'details', value: { ...details, manifests: first } } }
      const { path } = directory
      for (const portion of more) yield { message: { case: 'details', value: { path, manifests: portion } } }
      for (const portion of portions(files, fileLength)) {
        const sent = portion.map((file) => ({ path: file.path, content: file.content }))
        yield { message: { case: 'details', value: { path, files: sent } } }
      }
    }
    if (errors.failures.length > 0) throw abandoned
  }
  try {
    const answer = await context.commitServer.commitManifests(requests(), { signal, timeoutMs: maxRunMs })
    await moveOn(context, { ...planned, answer, newestDrySha: held.newest.sha })
  } catch (error) {
    if (errors.failures.length === 0) throw error
  }
  return errors
}

/** Adds the warnings of the render to those of the inspection, which may have them already. */
function addWarnings(outcome: RunOutcome, { directory, record: { warnings } }: RenderedDirectory): void {
  for (const { name } of directory.members) {
    outcome.warnings.set(name, [...new Set([...(outcome.warnings.get(name) ?? []), ...warnings])])
  }
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

function syncBranchOf(run: ObservedRun, group: ObservedGroup): string {
  const syncBranch = group.members[0]?.spec.syncSource.targetBranch ?? ''
  return syncBranch === run.branch ? '' : syncBranch
}

function fileLength({ path, content }: { path: string; content: string }): number {
  return path.length + content.length
}

/** Cuts what is sent into what one message may carry; nothing into nothing. */
function portions<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Item[][] {
  const all: Item[][] = []
  let length = Infinity
  for (const item of items) {
    const own = lengthOf(item)
    if (length + own > portionLength) {
      all.push([])
      length = 0
    }
    all.at(-1)?.push(item)
    length += own
  }
  return all
}
