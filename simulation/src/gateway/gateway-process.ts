import { createClient, type Interceptor, type Transport } from '@connectrpc/connect'
import { applicationRoutes } from '@wadi/api-gateway/application-routes.ts'
import { callerKey, nobody } from '@wadi/api-gateway/authentication/caller.ts'
import { createAuthorization } from '@wadi/api-gateway/authorization/authorization.ts'
import { requireDecision } from '@wadi/api-gateway/authorization/decided-by-policy.ts'
import { openSignIn } from '@wadi/api-gateway/sessions/sign-in.ts'
import { followSummaries } from '@wadi/api-gateway/summaries/summary-index.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { Listener } from '../mesh/rpc-link.ts'
import { listenerOf, type ProcessBase } from '../mesh/service-process.ts'

/** The links of a gateway to the services beyond it. */
export interface GatewayLinks {
  readonly store: ResourceStore
  readonly repoServer: Transport
  readonly commitServer: Transport
  readonly hydrator: Transport
}

/** The header with the user of a call, in place of a token. */
export const userHeader = 'simulated-user'

/** Starts a gateway with its RPCs about Applications, all of its own code; who calls is taken as it is said. */
export async function startGateway(
  base: ProcessBase,
  gone: AbortSignal,
  { store, repoServer, commitServer, hydrator }: GatewayLinks,
): Promise<Listener> {
  const { logger } = base
  const policy = await followPolicy(store, (reason) => logger.warn({ reason }, 'policy'))
  const context = {
    store,
    policy,
    logger,
    authorization: createAuthorization(policy),
    summaries: await followSummaries(store),
    signIn: await openSignIn(store),
    urlPolicy: { allowFile: false, allowPlainHttp: 'never' },
    hydrator: createClient(HydratorService, hydrator),
    repoServer: createClient(RepoServerService, repoServer),
    commitServer: createClient(CommitServerService, commitServer),
    forges: createClient(ForgeService, commitServer),
    applicationSets: createClient(ApplicationSetService, hydrator),
    appsetService: Object.assign(createClient(AppsetService, hydrator), { replicas: async () => 1 }),
    diagnosed: {},
    ownReport: async () => {
      throw new Error('a simulated gateway is not diagnosed')
    },
  } as const
  const routes = applicationRoutes(context, gone)
  return listenerOf(base, gone, (served) => served.add(ApplicationService, routes), [asUser, requireDecision])
}

const asUser: Interceptor = (next) => (request) => {
  const user = request.header.get(userHeader) ?? ''
  request.contextValues.set(callerKey, {
    ...nobody,
    subject: { sub: user, groups: [] },
    username: user,
    email: `${user}@example.com`,
  })
  return next(request)
}
