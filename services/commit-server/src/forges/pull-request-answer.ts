import type { MessageInitShape } from '@bufbuild/protobuf'
import type { KeptPullRequest } from '@wadi/forges/pull-requests/pull-request-forge.ts'
import type { PullRequestSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'

/** A pull request as the RPCs return it. */
export function pullRequestAnswer(pullRequest: KeptPullRequest): MessageInitShape<typeof PullRequestSchema> {
  const { body: _body, isHeadElsewhere: _isElsewhere, labels, ...rest } = pullRequest
  return { ...rest, labels: [...labels] }
}
