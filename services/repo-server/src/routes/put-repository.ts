import type { PutRepositoryRequest } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { putRepository as put } from '@wadi/repositories/repository-requests.ts'
import type { RepoServerContext } from '../context.ts'

/** Stores a repository with read credentials after reaching it. */
export function putRepository(context: RepoServerContext) {
  return async (request: PutRepositoryRequest) => ({ repository: await put(context, request) })
}
