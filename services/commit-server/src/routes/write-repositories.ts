import type {
  DeleteWriteRepositoryRequest,
  ListWriteRepositoriesRequest,
  PutWriteRepositoryRequest,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { listRepositories, putRepository } from '@wadi/repositories/repository-requests.ts'
import type { CommitServerContext } from '../context.ts'

/** Stores write credentials of a repository after reaching it. */
export function putWriteRepository(context: CommitServerContext) {
  return async (request: PutWriteRepositoryRequest) => ({ repository: await putRepository(context, request) })
}

/** Lists the repositories with write credentials. */
export function listWriteRepositories(context: CommitServerContext) {
  return async ({ refresh }: ListWriteRepositoriesRequest) => ({
    repositories: await listRepositories(context, refresh),
  })
}

/** Forgets the write credentials of a repository. */
export function deleteWriteRepository(context: CommitServerContext) {
  return async ({ repoUrl, project }: DeleteWriteRepositoryRequest) => {
    await context.repositories.delete(repoUrl, project)
    return {}
  }
}
