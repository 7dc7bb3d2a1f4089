import type { DeleteRepositoryRequest } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { RepoServerContext } from '../context.ts'

/** Forgets a repository and its read credentials. */
export function deleteRepository(context: RepoServerContext) {
  return async ({ repoUrl, project, version, isPrefix }: DeleteRepositoryRequest) => {
    await context.repositories.delete(repoUrl, project, version, isPrefix)
    return {}
  }
}
