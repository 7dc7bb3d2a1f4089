import type { MessageInitShape } from '@bufbuild/protobuf'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type {
  CommitManifestsRequestSchema,
  CommitManifestsResponse,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { branchFacts, commitFacts, directoryFacts, metadataText } from '../documents/hydrator-metadata.ts'
import { renderCommitMessage, renderReadme } from '../documents/render-documents.ts'
import type { BranchRun, GroupOfRun, GroupRun } from './branch-run.ts'
import { addFault, type DirectoryFaults, noFaults } from './directory-faults.ts'
import { heldWith, readCommit } from './dry-commits.ts'
import type { RunContext } from './run-context.ts'
import type { GroupPlan } from './inspect.ts'
import type { RenderedDirectory } from './render.ts'
import { unclaimedPaths } from './unclaimed-paths.ts'

/** Manifests and files are sent in messages of about this many characters, far below every message limit. */
const portionLength = 512 * 1024

/** A first hydration of many thousand directories takes its time; commit-server ends no call before this. */
const maxRunMs = 30 * 60_000

interface CommitInput extends GroupOfRun {
  plan: GroupPlan
  rendered: AsyncIterable<RenderedDirectory>
  /** Whether the hydrated commit gets the dry commit's author time. */
  keepDate: boolean
}

interface LandedCommit extends GroupOfRun {
  plan: GroupPlan
  answer: CommitManifestsResponse
  newestDrySha: string
}

/**
 * Sends what is rendered straight into commit-server's stream, so no more than one directory is held here at a time, and
 * moves the run's position to the new head. When a directory has a fault the stream is given up, nothing lands and the
 * faults of all members are returned.
 */
export async function commitRendered(
  context: RunContext,
  { run, group, plan, rendered: directories, keepDate }: CommitInput,
  signal: AbortSignal,
): Promise<DirectoryFaults> {
  const { project } = group
  const removedPaths = await prunedPaths(context, { run, group }, signal)
  const commit = await readCommit(context, { run, group, sha: plan.drySha }, signal)
  if (!commit) throw new NotFoundError(`dry commit ${plan.drySha} is gone from ${group.repoUrl}`)
  const facts = commitFacts(group.repoUrl, commit)
  const held = await heldWith(context, { run, group, commit }, signal)
  const engine = await context.templates()
  const faults = noFaults()
  const abandoned = new Error('a directory has an error')
  const header = {
    repoUrl: run.repoUrl,
    targetBranch: run.branch,
    drySha: plan.drySha,
    commitAuthor: commit.author,
    commitMessage: commit.subject,
    commitTime: commit.date,
    base: run.position,
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
      if (error !== '') addFault(faults, directory, rendered)
      if (faults.failures.length > 0) continue
      run.rendered++
      addNotices(group, rendered)
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
    if (faults.failures.length > 0) throw abandoned
  }
  try {
    const answer = await context.commitServer.commitManifests(requests(), { signal, timeoutMs: maxRunMs })
    await moveOn(context, { run, group, plan, answer, newestDrySha: held.newest.sha })
  } catch (error) {
    if (faults.failures.length === 0) throw error
  }
  return faults
}

/** Puts what the renderer remarked beside what the inspection did, which may have known it already. */
function addNotices(group: GroupRun, { directory, record: { warnings } }: RenderedDirectory): void {
  for (const { name } of directory.members) {
    group.notices.set(name, [...new Set([...(group.notices.get(name) ?? []), ...warnings])])
  }
}

/** Takes over the new head and remembers what its directories were rendered from. */
async function moveOn(
  context: RunContext,
  { run, group, plan, answer, newestDrySha }: LandedCommit,
): Promise<void> {
  const from = run.position.headSha
  const { hydratedSha: headSha } = answer
  // A commit-server of an older version returns no position.
  run.position = answer.position ?? { ...run.position, headSha, drySha: newestDrySha, noteId: '' }
  run.anonymous = answer.anonymous
  group.writtenDrySha = plan.drySha
  if (!answer.rebuilt) run.foreign = undefined
  if (answer.rebuilt) run.rebuiltFrom ??= from
  const held = run.held ?? new Map<string, string>()
  for (const path of held.keys()) if (!run.claimed.has(path)) held.delete(path)
  for (const [path, fingerprint] of plan.fingerprints) held.set(path, fingerprint)
  // What a foreign commit changed elsewhere is not known, so what comes next compares the whole branch.
  run.held = answer.rebuilt ? undefined : held
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

function syncBranchOf(run: BranchRun, group: GroupRun): string {
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
