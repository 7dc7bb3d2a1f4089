import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import type { GetCommitRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { withCommit } from '../revisions/with-commit.ts'

/** Reads what a commit says of itself, or a version of a chart. */
export function getCommit(context: RepoServerContext) {
  return async (request: GetCommitRequest) => {
    if (request.chart) return { commit: context.chartRevisions.commit(request) }
    const read = await withCommit(context, request, ({ objects }) => readCommitMetadata(objects, request.sha))
    const { sha, author, date, committerDate, subject, body, references, parents } = read
    return {
      commit: {
        sha,
        author,
        date,
        committerDate,
        subject,
        body,
        references: references.map((reference) => reference.commit),
        parents: [...parents],
      },
    }
  }
}
