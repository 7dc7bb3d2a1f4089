import { create } from '@bufbuild/protobuf'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import {
  type GetBranchResponse,
  GetBranchResponseSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { GroupFailure } from '../branch-run.ts'
import type { Destination } from '../report/failure-inputs.ts'
import type { RunContext } from '../run-context.ts'
import type { SharedCalls } from '../reuse/shared-calls.ts'

/** The state of a branch, or the error of reading it. */
interface BranchRead {
  /** Empty after a failure. */
  answer: GetBranchResponse
  destination: Destination
  /** Set when the destination cannot be read; it fails every group, so that their status says why. */
  failure: GroupFailure | undefined
}

/** Asks commit-server where a branch stands. */
export async function readBranch(
  { shared }: Pick<RunContext, 'shared'>,
  request: Parameters<SharedCalls['getBranch']>[0],
  signal: AbortSignal,
): Promise<BranchRead> {
  try {
    const answer = await shared.getBranch(request, signal)
    if (!answer.position) throw new Error('commit-server returned no branch position')
    const { credentials, position } = answer
    return { answer, destination: { headSha: position.headSha, error: '', credentials }, failure: undefined }
  } catch (cause) {
    if (signal.aborted) throw cause
    const message = errorMessage(cause)
    const destination = { headSha: '', error: message, credentials: '' }
    return { answer: create(GetBranchResponseSchema), destination, failure: { message, failures: [], cause } }
  }
}
