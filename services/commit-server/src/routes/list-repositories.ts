import type { ListRepositoriesRequest } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { listRepositories as list } from '@wadi/repositories/repository-requests.ts'
import type { CommitServerContext } from '../context.ts'

/** Lists the repositories with write credentials. */
export function listRepositories(context: CommitServerContext) {
  return async ({ refresh }: ListRepositoriesRequest) => {
    const stored = await list(context, refresh)
    const repositories = stored.map((repository) => ({
      ...repository,
      message: repository.message || context.forgeFailures.messageFor(repository),
    }))
    return { repositories }
  }
}
