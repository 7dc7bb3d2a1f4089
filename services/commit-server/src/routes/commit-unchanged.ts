import type { HandlerContext } from '@connectrpc/connect'
import type { CommitUnchangedRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { type CommitRequest, unchangedRequest } from '../commit/commit-request.ts'
import { signingOf } from '../commit/commit-signing.ts'
import { writeCommit } from '../commit/write-commit.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'
import { type CommitAnswer, committed, isAnonymous } from './commit-manifests.ts'
import { assertBranchCount } from './get-branches.ts'

/** Makes the commits of branches without a rendered directory, which mostly get a note; one that fails has an empty entry. */
export function commitUnchanged(context: CommitServerContext) {
  return async ({ repoUrl, project, commits }: CommitUnchangedRequest, { signal }: HandlerContext) => {
    assertBranchCount(commits)
    const requests = commits.map((header) => unchangedRequest({ ...header, repoUrl, project }))
    const answers = await useDestination(context, { repoUrl, project }, async (mirror) => {
      const writer = context.writers.of(mirror)
      const anonymous = await isAnonymous(context, repoUrl, project)
      const signing = signingOf(context, project, repoUrl)
      const commit = async (request: CommitRequest): Promise<CommitAnswer> =>
        committed(context, request, await writeCommit(writer, request, signing, signal), anonymous)
      return Promise.allSettled(requests.map(commit))
    })
    const branches = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : {}))
    return { branches }
  }
}
