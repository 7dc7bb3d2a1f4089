import type {
  DeleteRepositoryRequest,
  ListRepositoriesRequest,
  PutRepositoryRequest,
} from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { listRepositories as list, putRepository as put } from '@wadi/repositories/repository-requests.ts'
import type { CommitServerContext } from '../context.ts'

/** Stores write credentials of a repository after reaching it. */
export function putRepository(context: CommitServerContext) {
  return async (request: PutRepositoryRequest) => ({ repository: await put(context, request) })
}

/** Lists the repositories with write credentials. */
export function listRepositories(context: CommitServerContext) {
  return async ({ refresh }: ListRepositoriesRequest) => ({
    repositories: await list(context, refresh),
  })
}

/** Forgets the write credentials of a repository. */
export function deleteRepository(context: CommitServerContext) {
  return async ({ repoUrl, project }: DeleteRepositoryRequest) => {
    await context.repositories.delete(repoUrl, project)
    return {}
  }
}
