import { readCommitMetadata } from '@wadi/git/commit-metadata.ts'
import type { GetCommitRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { openMirrorAt, type RepoServerContext } from '../context.ts'

/** Reads what a commit says of itself. */
export function getCommit(context: RepoServerContext) {
  return async (request: GetCommitRequest) => {
    const mirror = await openMirrorAt(context, request)
    const { sha, author, date, subject, body, references } = await readCommitMetadata(
      mirror.objects,
      request.sha,
    )
    return {
      commit: {
        sha,
        author,
        date,
        subject,
        body,
        references: references.map((reference) => reference.commit),
      },
    }
  }
}
