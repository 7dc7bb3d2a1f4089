import type { RefreshRepositoryRequest } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'

/** Has the ApplicationSets that read a repository generate again. */
export function refreshRepository(reconciler: Reconciler) {
  return ({ repoUrl }: RefreshRepositoryRequest) => ({
    applicationSets: reconciler.refreshRepository(repoUrl),
  })
}
