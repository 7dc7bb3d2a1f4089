import type { MessageInitShape } from '@bufbuild/protobuf'
import { ConflictError, InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { EditedFile } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { EditParametersRequestSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GatewayContext } from '../context.ts'
import { editedFiles } from './edited-files.ts'

type EditRequest = Omit<MessageInitShape<typeof EditParametersRequestSchema>, '$typeName' | '$unknown'> & {
  sha: string
}

/** A change of parameters that is about to be committed. */
interface ReviewedChange {
  /** The request that gave `files`, at the commit that the branch has now. */
  request: EditRequest
  files: readonly EditedFile[]
  /** The commit that the author was shown. */
  reviewedSha: string
}

/**
 * Checks that a change does what its author was shown: since that commit neither the files that it writes nor anything else that
 * the source is rendered from may have changed. What others commit elsewhere in the repository does no harm.
 * @throws ConflictError, InvalidInputError for a reviewed commit that is none
 */
export async function requireReviewed(
  context: Pick<GatewayContext, 'repoServer'>,
  { request, files, reviewedSha }: ReviewedChange,
  signal: AbortSignal,
): Promise<void> {
  if (reviewedSha === '' || reviewedSha === request.sha) return
  if (!/^[0-9a-f]{40}$/.test(reviewedSha)) {
    throw new InvalidInputError(
      `the reviewed commit ${JSON.stringify(reviewedSha)} must be the whole id of a commit, 40 digits of 0-9 and a-f`,
    )
  }
  const then = { ...request, sha: reviewedSha }
  const [reviewed, before, now] = await Promise.all([
    changedFiles(context, then, signal),
    fingerprintOf(context, then, signal),
    fingerprintOf(context, request, signal),
  ]).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error
    throw outdated(request.sha, reviewedSha, 'that commit is gone', error)
  })
  const other = files.find((file) => !reviewed.some((one) => isSameEdit(one, file)))
  if (other) throw outdated(request.sha, reviewedSha, `${other.path} is another file`)
  if (before !== now) throw outdated(request.sha, reviewedSha, 'other files of the source have changed')
}

async function changedFiles(
  context: Pick<GatewayContext, 'repoServer'>,
  request: EditRequest,
  signal: AbortSignal,
): Promise<readonly EditedFile[]> {
  const { file, otherFiles } = await editedFiles(context, request, signal)
  return [file, ...otherFiles]
}

/** Returns the fingerprint of the source, or why it cannot be rendered. */
async function fingerprintOf(
  { repoServer }: Pick<GatewayContext, 'repoServer'>,
  { changes: _changes, source, ...dry }: EditRequest,
  signal: AbortSignal,
): Promise<string> {
  const { inspections } = await repoServer.inspectSources(
    { ...dry, sources: source ? [source] : [] },
    { signal },
  )
  const [inspection] = inspections
  return inspection?.fingerprint || (inspection?.error ?? '')
}

function isSameEdit(one: EditedFile, other: EditedFile): boolean {
  return one.path === other.path && one.before === other.before && one.after === other.after
}

function outdated(sha: string, reviewedSha: string, reason: string, cause?: unknown): ConflictError {
  return new ConflictError(
    `the dry branch has moved from ${reviewedSha.slice(0, 7)} to ${sha.slice(0, 7)} since the change was reviewed, and ${reason}: ` +
      'nothing is written; review the change again',
    { cause },
  )
}
