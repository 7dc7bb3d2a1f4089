import type { MessageInitShape } from '@bufbuild/protobuf'
import { withoutUndefined } from '@wadi/fields/without-undefined.ts'
import { manifestFiles } from '@wadi/hydration/manifest-files.ts'
import { isDefaultLayout } from '@wadi/resources/application/layout.ts'
import type { CommitManifestsRequestSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import {
  branchFacts,
  type CommitFacts,
  commitFacts,
  directoryFacts,
  metadataText,
} from '../../documents/hydrator-metadata.ts'
import {
  type DocumentTemplates,
  renderCommitMessage,
  renderReadme,
} from '../../documents/render-documents.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { Member } from '../../applications/application-index.ts'
import type { ObservedGroup, ObservedRun } from '../branch-run.ts'
import { recordedTools } from '../branch-tools.ts'
import { addError, type DirectoryErrors } from '../directory-errors.ts'
import type { HeldDryCommits, SourceCommit } from '../inspect/dry-commits.ts'
import type { PlannedOfGroup, RenderedDirectory } from '../render/render.ts'
import type { RunOutcome } from '../run-outcome.ts'

type CommitRequest = MessageInitShape<typeof CommitManifestsRequestSchema>

/** Manifests and files are sent in messages of about this many characters, far below every message limit. */
const portionLength = 512 * 1024

/** A dry commit of a group and what its documents are rendered with. */
export interface DocumentedCommit extends PlannedOfGroup {
  templates: DocumentTemplates
  /** Those of the dry commit. */
  facts: CommitFacts
  /** The commits of all sources, in their order. */
  commits: readonly SourceCommit[]
  /** The newest of them, which message and README are about. */
  shown: SourceCommit
}

/** The first message of the stream: what lands beside the directories. */
export function commitHeader(
  { run, outcome, group, drySha, keepDate, templates, shown }: DocumentedCommit,
  { held, removedPaths }: { held: HeldDryCommits; removedPaths: string[] },
) {
  const { commit } = shown
  const facts = commitFacts(shown.source, commit)
  return {
    repoUrl: run.repoUrl,
    targetBranch: run.branch,
    drySha,
    commitAuthor: commit.author,
    commitMessage: commit.subject,
    commitTime: commit.date,
    base: outcome.position,
    message: renderCommitMessage(templates.commitMessage, facts),
    authorName: run.settings.authorName,
    authorEmail: run.settings.authorEmail,
    authorTime: keepDate ? commit.date : '',
    metadata: metadataText(branchFacts(held, recordedTools(run, outcome))),
    removedPaths,
    project: group.project,
    syncBranch: syncBranchOf(run, group),
    dryCommits: held.dryCommits,
    newestDrySha: held.newest.sha,
    installation: run.installation,
  }
}

/** Hears of what is rendered while it is sent. */
interface CommitListener {
  onFindings: (members: readonly Member[], findings: readonly Finding[]) => void
  /** Called when all is rendered, before the stream ends. */
  onEnd: () => Promise<void>
}

/** The messages of the stream. After the first directory with an error none is sent, and the stream fails at its end. */
export async function* commitRequests(
  documented: DocumentedCommit,
  header: ReturnType<typeof commitHeader>,
  directories: AsyncIterable<RenderedDirectory>,
  errors: DirectoryErrors,
  { onFindings, onEnd }: CommitListener,
): AsyncGenerator<CommitRequest> {
  const { outcome, plan } = documented
  yield { message: { case: 'commit', value: header } }
  const { noteMade } = await import('../definitions/note-made.ts')
  const made = { objects: plan.objects, definitions: plan.defined }
  for await (const rendered of directories) {
    const { directory, error, fingerprint, record } = rendered
    if (record.findings.length > 0) onFindings(directory.members, record.findings)
    if (error !== '') {
      addError(errors, directory, rendered)
      errors.dependsOnBranch ||= plan.wantsFormer.has(directory) || rendered.definitions !== undefined
    } else noteMade(made, rendered, plan.wantsDefinitions.size > 0)
    if (errors.failures.length > 0) continue
    outcome.rendered++
    addFacts(outcome, rendered)
    if (plan.fingerprints.get(directory.path) !== fingerprint) plan.rendered.set(directory.path, fingerprint)
    yield* directoryRequests(documented, rendered)
  }
  await onEnd()
  if (plan.outdatedBy) throw new Error('the branch would have other definitions')
  if (errors.failures.length > 0) throw new Error('a directory has an error')
}

/** A directory in as many messages as it takes. */
function* directoryRequests(
  { templates, facts, shown, commits }: DocumentedCommit,
  rendered: RenderedDirectory,
): Generator<CommitRequest> {
  const { directory, manifests, files } = rendered
  const { path, layout, members } = directory
  const manifestsOfFiles = manifestFiles(manifests, layout, rendered.record.printed)
  const directoryInfo = directoryFacts(facts, members, {
    ...rendered,
    commits,
    layout,
    manifestFiles: manifestsOfFiles,
  })
  const readme = renderReadme(templates.readme, {
    ...directoryInfo,
    ...newestChange(shown),
  })
  const { gateRuns } = rendered.record
  const details = { path, readme, metadata: metadataText(directoryInfo), gateRuns }
  if (!isDefaultLayout(layout)) {
    const divided = manifestsOfFiles.map((file) => ({ name: file.name, count: file.manifests.length }))
    Object.assign(details, { manifestFiles: { files: divided } })
  }
  const ordered = manifestsOfFiles.flatMap((file) => file.manifests)
  const [first = [], ...more] = portions(ordered, (manifest) => manifest.length)
  yield { message: { case: 'details', value: { ...details, manifests: first } } }
  for (const portion of more) yield { message: { case: 'details', value: { path, manifests: portion } } }
  for (const portion of portions(files, fileLength)) {
    const sent = portion.map((file) => ({ path: file.path, content: file.content }))
    yield { message: { case: 'details', value: { path, files: sent } } }
  }
}

/** Returns the facts about the newest change for a README. */
function newestChange({ source, commit }: SourceCommit): Partial<CommitFacts> {
  const { commitAuthor, commitMessage, commitTime } = commitFacts(source, commit)
  return withoutUndefined({ commitAuthor, commitMessage, commitTime })
}

/** Adds the warnings of the render to those of the inspection, which may have them already, and takes over its findings. */
function addFacts(
  outcome: RunOutcome,
  { directory, record: { warnings, ...record } }: RenderedDirectory,
): void {
  const findings = [...record.findings, ...record.coveredFindings]
  for (const { name } of directory.members) {
    if (findings.length > 0) outcome.findings.set(name, findings)
    else outcome.findings.delete(name)
    const all = new Set([...(outcome.warnings.get(name) ?? []), ...warnings])
    if (all.size > 0) outcome.warnings.set(name, [...all])
  }
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
