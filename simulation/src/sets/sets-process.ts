import { createClient, type Transport } from '@connectrpc/connect'
import { createTemplateWork } from '@wadi/application-sets/templates/template-work.ts'
import { appsetServiceContext } from '@wadi/appset-service/appset-service.ts'
import { changeApplicationSet } from '@wadi/appset-service/changes/change-application-set.ts'
import { createAppsetServiceEvents } from '@wadi/appset-service/events.ts'
import { startReconciler } from '@wadi/appset-service/reconcile/reconciler.ts'
import { appsetServiceSettings } from '@wadi/appset-service/settings.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { createServiceIdentity } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import type { ProcessBase } from '../mesh/service-process.ts'

const settings = readSettings(appsetServiceSettings, { env: {}, argv: [] })
const identity = createServiceIdentity({ key: Buffer.alloc(32), service: 'appset-service' })

const unused = async (): Promise<never> => {
  throw new Error('sets of lists ask nobody')
}
const noTransport: Transport = { unary: unused, stream: unused }

/** A replica of appset-service, as its users reach it. */
export interface SetsProcess {
  /** Stores a set for a user, as `wadi appset create --upsert` does. @param by the user and the version that they saw, empty for any */
  apply(set: Resource, by: { readonly user: string; readonly seen: string }): Promise<unknown>
}

/**
 * Starts a replica that takes all sets for its own: which one owns a set is never to decide anything. Its sets have lists, so it asks no
 * other service.
 */
export async function startSetsProcess(
  { logger, metrics }: ProcessBase,
  store: ResourceStore,
): Promise<SetsProcess> {
  const policy = await followPolicy(store, (reason) => logger.warn({ reason }, 'policy'))
  const context = appsetServiceContext({ identity }, settings, {
    store,
    policy,
    repoServer: createClient(RepoServerService, noTransport),
    templateWork: createTemplateWork({ renderTexts: unused }),
    ownership: { owns: async () => true },
    events: createAppsetServiceEvents(logger, metrics),
  })
  startReconciler(context)
  const { signal } = new AbortController()
  return {
    apply: (resource, { user: sub, seen: version }) =>
      changeApplicationSet(
        context,
        { resource, resourceVersion: '' },
        {
          access: { enforcer: context.policy.enforcer, subject: { sub, groups: [] } },
          upsert: true,
          dryRun: false,
          confirmDeletions: false,
          reviewedPlan: '',
          version,
          signal,
        },
      ),
  }
}
