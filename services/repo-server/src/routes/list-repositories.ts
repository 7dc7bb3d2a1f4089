import type { ListRepositoriesRequest } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { listRepositories as list } from '@wadi/repositories/repository-requests.ts'
import type { RepoServerContext } from '../context.ts'

/** Lists the repositories with read credentials. */
export function listRepositories(context: RepoServerContext) {
  return async ({ refresh }: ListRepositoriesRequest) => ({ repositories: await list(context, refresh) })
}
