import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { assertBranchName, isCommitSha } from '@wadi/git/mirror/revision.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { checkFiles } from '@wadi/hydration/files-folder.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type {
  CommitManifests,
  CommitManifestsRequest,
  CommitPathDetails,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'

/** The files of one hydrated directory. */
export interface HydratedDirectory {
  /** Clean; `''` is the root. */
  path: string
  manifest: Buffer
  readme: string
  metadata: string
  /** What belongs into its folder `files`, checked. */
  files: HydratedFile[]
}

/** A file of the folder `files`. */
interface HydratedFile {
  /** In the folder. */
  path: string
  content: Buffer
}

/** A `CommitManifests` stream, read whole and checked. */
export interface CommitRequest {
  header: CommitManifests
  directories: HydratedDirectory[]
  /** Clean paths. */
  removedPaths: string[]
}

/**
 * Reads the stream of one commit.
 * @throws InvalidInputError that names the field, ResourceExhaustedError above `maxBytes` of manifests and files, or too
 * many files of one directory.
 */
export async function readCommitRequest(
  requests: AsyncIterable<CommitManifestsRequest>,
  maxBytes: number,
): Promise<CommitRequest> {
  let header: CommitManifests | undefined
  const assembly = new DirectoryAssembly(maxBytes)
  for await (const { message } of requests) {
    if (message.case === 'commit') {
      if (header) throw new InvalidInputError('commit comes once, before all details')
      header = message.value
      checkHeader(header)
      for (const details of header.details) assembly.add(details)
    } else if (message.case === 'details') {
      if (!header) throw new InvalidInputError('commit comes before all details')
      assembly.add(message.value)
    }
  }
  if (!header) throw new InvalidInputError('commit is required')
  const directories = assembly.finish()
  const removedPaths = [...new Set(header.removedPaths.map(cleanDestinationPath))]
  return { header, directories, removedPaths }
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
  if (!header.base) throw new InvalidInputError('base is required')
}

/** Puts consecutive details of one path together and turns their JSON documents into the bytes of manifest.yaml. */
class DirectoryAssembly {
  #maxBytes: number
  #bytes = 0
  #directories = new Map<string, HydratedDirectory>()
  #open: { path: string; details: CommitPathDetails } | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
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
      if (details.readme !== '') open.readme = details.readme
      if (details.metadata !== '') open.metadata = details.metadata
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
    const { readme, metadata } = details
    checkFiles(details.files)
    const files = details.files.map((file) => ({ path: file.path, content: Buffer.from(file.content) }))
    const manifest = Buffer.from(emitManifests(details.manifests.map((text) => manifestFromJson(text))))
    this.#directories.set(path, { path, manifest, readme, metadata, files })
    this.#open = undefined
  }
}
