import type { PutServerTrustRequest } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { putServerTrust as put } from '@wadi/repositories/repository-requests.ts'
import type { RepoServerContext } from '../context.ts'

/** Stores which servers are trusted. */
export function putServerTrust(context: RepoServerContext) {
  return async (request: PutServerTrustRequest) => {
    await put(context, request)
    return {}
  }
}
