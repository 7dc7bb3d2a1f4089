import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type CommitContent, CommitContents } from '@wadi/git/commit/commit-contents.ts'
import { assertBranchName, isCommitSha } from '@wadi/git/mirror/revision.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { checkFiles } from '@wadi/hydration/files-directory.ts'
import { canBeManifestFile } from '@wadi/hydration/manifest-files.ts'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { isInstallationId } from '@wadi/hydration/installation-id.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { GateRun } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { type RecordContent, wantedRecord } from './record-content.ts'
import type {
  CommitManifests,
  CommitManifestsRequest,
  CommitPathDetails,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'

/** The files of one hydrated directory. */
export interface HydratedDirectory {
  /** Clean; `''` is the root. */
  path: string
  /** The files with its objects, by their names in it, in their order. */
  manifests: HydratedFile[]
  /** Undefined for a directory that has none of its own; so is `metadata`. */
  readme: CommitContent | undefined
  metadata: RecordContent | undefined
  /** The contents of its directory `files`, checked. */
  files: HydratedFile[]
  /** The checks of its objects; none if one of its sources was not checked. */
  gateRuns: readonly GateRun[]
}

/** A file of a directory. */
interface HydratedFile {
  /** In the directory that holds it. */
  path: string
  content: CommitContent
}

/** A `CommitManifests` stream, read whole and checked. */
export interface CommitRequest {
  header: CommitManifests
  directories: HydratedDirectory[]
  /** Clean paths. */
  removedPaths: string[]
}

/** The progress of a commit while it is sent. */
interface ComingCommit {
  /** Most bytes of its manifests and files. */
  readonly maxBytes: number
  /** Is called with the first message once it is checked, while the others are sent. */
  readonly onHeader: (header: CommitManifests) => Promise<void>
  /** Gives git contents of a large commit before it is whole. */
  readonly store: (header: CommitManifests, contents: readonly CommitContent[]) => Promise<void>
}

/**
 * Reads the stream of one commit.
 * @throws InvalidInputError that names the field, ResourceExhaustedError above `maxBytes`, or too many files of one directory,
 * and what `onHeader` and `store` throw
 */
export async function readCommitRequest(
  requests: AsyncIterable<CommitManifestsRequest>,
  { maxBytes, onHeader, store }: ComingCommit,
): Promise<CommitRequest> {
  let header: CommitManifests | undefined
  await using contents = new CommitContents(async (some) => header && store(header, some))
  const assembly = new DirectoryAssembly(maxBytes, contents)
  for await (const { message } of requests) {
    if (message.case === 'commit') {
      if (header) throw new InvalidInputError('commit comes once, before all details')
      header = message.value
      checkHeader(header)
      await onHeader(header)
      for (const details of header.details) assembly.add(details)
    } else if (message.case === 'details') {
      if (!header) throw new InvalidInputError('commit comes before all details')
      assembly.add(message.value)
    }
    await contents.settle()
  }
  if (!header) throw new InvalidInputError('commit is required')
  const directories = assembly.finish()
  await contents.finish()
  return requestOf(header, directories)
}

/**
 * A commit of no directory.
 * @throws InvalidInputError that names the field
 */
export function unchangedRequest(header: CommitManifests): CommitRequest {
  checkHeader(header)
  if (header.details.length > 0) throw new InvalidInputError('details need CommitManifests')
  return requestOf(header, [])
}

function requestOf(header: CommitManifests, directories: HydratedDirectory[]): CommitRequest {
  return { header, directories, removedPaths: [...new Set(header.removedPaths.map(cleanDestinationPath))] }
}

function checkHeader(header: CommitManifests): void {
  const required = { repoURL: header.repoUrl, targetBranch: header.targetBranch, drySHA: header.drySha }
  for (const [field, value] of Object.entries(required)) {
    if (value === '') throw new InvalidInputError(`${field} is required`)
  }
  assertBranchName(header.targetBranch)
  if (header.syncBranch !== '') assertBranchName(header.syncBranch)
  if (!isCommitSha(header.drySha)) throw new InvalidInputError('drySHA is not a full commit id')
  for (const sha of [header.newestDrySha, ...header.dryCommits.map((commit) => commit.drySha)]) {
    if (sha !== '' && !isCommitSha(sha))
      throw new InvalidInputError(`${JSON.stringify(sha)} is not a full commit id`)
  }
  if (header.installation !== '' && !isInstallationId(header.installation)) {
    throw new InvalidInputError('installation must be at most 64 letters, digits and hyphens')
  }
  if (!header.base) throw new InvalidInputError('base is required')
}

/** Puts consecutive details of one path together and turns their JSON documents into the bytes of its files. */
class DirectoryAssembly {
  #maxBytes: number
  #bytes = 0
  readonly #contents: CommitContents
  #directories = new Map<string, HydratedDirectory>()
  #open: { path: string; details: CommitPathDetails } | undefined

  constructor(maxBytes: number, contents: CommitContents) {
    this.#maxBytes = maxBytes
    this.#contents = contents
  }

  add(details: CommitPathDetails): void {
    const files = details.files.map(({ content }) => content)
    this.#bytes += [...details.manifests, ...files].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    if (this.#bytes > this.#maxBytes) {
      throw new ResourceExhaustedError(
        `the manifests and files of one commit exceed ${this.#maxBytes} bytes; spread the applications over more branches`,
      )
    }
    const path = cleanDestinationPath(details.path)
    if (this.#open?.path === path) {
      const { details: open } = this.#open
      open.manifests.push(...details.manifests)
      open.files.push(...details.files)
      open.manifestFiles ??= details.manifestFiles
      if (details.readme !== '') open.readme = details.readme
      if (details.metadata !== '') open.metadata = details.metadata
      if (details.gateRuns.length > 0) open.gateRuns = details.gateRuns
      return
    }
    this.#close()
    if (this.#directories.has(path)) throw new InvalidInputError(`path ${JSON.stringify(path)} comes twice`)
    this.#open = { path, details }
  }

  finish(): HydratedDirectory[] {
    this.#close()
    return [...this.#directories.values()]
  }

  #close(): void {
    if (!this.#open) return
    const { path, details } = this.#open
    const { readme, metadata, gateRuns } = details
    checkFiles(details.files)
    const keep = (text: string) => this.#contents.add(text)
    const files = details.files.map((file) => ({ path: file.path, content: keep(file.content) }))
    this.#directories.set(path, {
      path,
      manifests: manifestsOf(details, keep),
      readme: readme === '' ? undefined : keep(readme),
      metadata: metadata === '' ? undefined : { content: keep(metadata), record: wantedRecord(metadata) },
      files,
      gateRuns,
    })
    this.#open = undefined
  }
}

/**
 * The files that hold the manifests of a directory.
 * @throws InvalidInputError for a name that a file with manifests cannot have, and when the files do not hold all manifests
 */
function manifestsOf(
  { path, manifests: texts, manifestFiles }: CommitPathDetails,
  keep: (text: string) => CommitContent,
): HydratedFile[] {
  const files = manifestFiles?.files ?? [{ name: hydratedFiles.manifest, count: texts.length }]
  const names = new Set<string>()
  let position = 0
  const all = files.map(({ name, count }) => {
    if (!canBeManifestFile(name) || names.has(name) || count < 0) {
      throw new InvalidInputError(
        `path ${JSON.stringify(path)}: ${JSON.stringify(name)} cannot hold manifests`,
      )
    }
    names.add(name)
    const own = texts.slice(position, position + count)
    position += count
    const text = emitManifests(own.map((json) => manifestFromJson(json)))
    return { path: name, content: keep(text) }
  })
  if (position === texts.length) return all
  throw new InvalidInputError(
    `path ${JSON.stringify(path)}: its files hold ${position} of ${texts.length} manifests`,
  )
}
