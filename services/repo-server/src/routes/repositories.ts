import type {
  DeleteRepositoryRequest,
  ListRepositoriesRequest,
  PutRepositoryRequest,
} from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { listRepositories as list, putRepository as put } from '@wadi/repositories/repository-requests.ts'
import type { RepoServerContext } from '../context.ts'

/** Stores a repository with read credentials after reaching it. */
export function putRepository(context: RepoServerContext) {
  return async (request: PutRepositoryRequest) => ({ repository: await put(context, request) })
}

/** Lists the repositories with read credentials. */
export function listRepositories(context: RepoServerContext) {
  return async ({ refresh }: ListRepositoriesRequest) => ({ repositories: await list(context, refresh) })
}

/** Forgets a repository and its read credentials. */
export function deleteRepository(context: RepoServerContext) {
  return async ({ repoUrl, project }: DeleteRepositoryRequest) => {
    await context.repositories.delete(repoUrl, project)
    return {}
  }
}
