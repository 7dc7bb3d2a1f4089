import { resolve } from 'node:path'
import { create, type DescMethod, type DescService } from '@bufbuild/protobuf'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import {
  ServiceDiagnosticsService,
  ServiceReportSchema,
} from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import { repositoryRoute } from '@wadi/repositories/repository-route.ts'
import { urlPolicy } from '@wadi/repositories/repository-service-settings.ts'
import { createHealthRegistry, type Warning } from '@wadi/rpc/health-registry.ts'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'
import { type RouteKeyOf, toEveryReplica } from '@wadi/rpc/replicas/route.ts'
import { connectTo, openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { openInstallation } from '@wadi/state/open-installation.ts'
import { openState, type State } from '@wadi/state/open-state.ts'
import { createAuthorization } from './authorization/authorization.ts'
import { makeInitialAdminPassword } from './accounts/initial-admin-password.ts'
import { readAdminToken } from './authentication/admin-token.ts'
import { authenticate, tokenVerifier } from './authentication/authenticate.ts'
import type { GatewayContext } from './context.ts'
import { answerLogout } from './sessions/answer-logout.ts'
import { rotateKeys } from './sessions/key-rotation.ts'
import { openSignIn } from './sessions/sign-in.ts'
import { watchStreams } from './sessions/watch-streams.ts'
import { type ApiGatewaySettings, apiGatewaySettings } from './settings.ts'
import { gatewayObjects } from './stored-objects.ts'
import { followSummaries } from './summaries/summary-index.ts'
import { answerWebhook } from './webhooks/answer-webhook.ts'
import { publicServices, routePublicServices } from './public-services.ts'
import { admitCalls } from './authentication/admit-calls.ts'
import { answerConsole } from './console/answer-console.ts'
import { builtConsole, readConsole } from './console/console-files.ts'
import { auditWrites, openAuditLog } from './audit/audit-log.ts'
import { refuseUnknownFields } from './argocd/wire-known-fields.ts'
import { requireDecision } from './authorization/decided-by-policy.ts'
import { createCallLimits } from './limits/call-limits.ts'
import type { SharedCounters } from './limits/shared-counters.ts'
import { type HttpRoute, limitedRoutes } from './limits/limited-routes.ts'
import { answerProviderSignIn } from './oidc/answer-provider-sign-in.ts'
import { foreignTokens } from './oidc/foreign-tokens.ts'
import { oidcConfigError } from './oidc/oidc-config.ts'

/**
 * Starts the API gateway; disposal drains it and closes what it holds.
 * @param signal ends a start that waits for the cluster
 */
export async function startApiGateway(
  settings: ApiGatewaySettings,
  signal?: AbortSignal,
): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('api-gateway', settings)
  const token = await readAdminToken(settings.adminToken, resolve(settings.dataDirectory, 'admin.token'))
  const { store, warning } = owned.use(await openObjects(base, settings, signal))
  const policy = owned.use(
    await followPolicy(store, (reason) => base.logger.error({ reason }, 'the policy cannot be read')),
  )
  const counters = owned.use(await openCounters(settings, base))
  const tokenSeconds = settings.sessionTokenLifetime / 1_000
  const signIn = owned.use(await openSignIn(store, { tokenSeconds, counters }))
  owned.use(await rotateKeys(signIn, base.logger))
  await makeInitialAdminPassword(signIn.objects, signIn.now())
  const verifyForeignToken = foreignTokens(signIn.objects, policy)
  const proof = { signIn, operatorToken: token, verifyForeignToken }
  const warnings = { store: warning, counters: () => counters?.problem() }
  const context: GatewayContext = {
    signIn,
    store,
    summaries: owned.use(await followSummaries(store)),
    policy,
    authorization: createAuthorization(policy),
    urlPolicy: urlPolicy(settings),
    ...(await connectServices(base, settings, owned)),
    ownReport: ownReport(base, warnings),
    logger: base.logger,
  }
  const auditLog = openAuditLog(settings.auditFile)
  const { trustedProxies } = settings
  const limits = callLimits(settings, counters)
  const logs = { logger: base.logger, auditLog, trustedProxies }
  const limitedPaths = [
    answerLogout(signIn, tokenVerifier(proof), logs),
    answerProviderSignIn({ signIn, verify: verifyForeignToken, ...logs }),
    answerWebhook(context),
  ]
  const httpRoutes = await withConsole(settings, limitedRoutes(limitedPaths, limits, trustedProxies))
  return await serve(base, {
    services: publicServices,
    routes: (router, draining) => routePublicServices(router, context, draining),
    owned: owned.move(),
    checks: { policy: () => (policy.isMissing ? policy.error : undefined) },
    warnings: {
      ...warnings,
      policy: () => policy.error,
      signIn: () => oidcConfigError(signIn.objects.config['oidc.config']),
    },
    authenticate: admitCalls(authenticate({ ...proof, isOpenMethod }), limits, auditLog),
    edge: {
      httpRoutes,
      interceptors: [auditWrites(auditLog), refuseUnknownFields, requireDecision, watchStreams(signIn)],
      crossOrigins: settings.crossOrigins,
      trustedProxies,
      limits: { keepAliveMs: settings.keepAliveTimeout, farewellMs: settings.idleGrace },
    },
  })
}

/** The gateway is one of the services that it reports of. Problems of policy and sign-in are findings of their own. */
function ownReport(
  base: ServiceBase,
  warnings: Readonly<Record<string, Warning>>,
): GatewayContext['ownReport'] {
  const health = createHealthRegistry({ warnings })
  return async (details, signal) => {
    const { serviceReport } = await import('@wadi/rpc/diagnostics/service-report.ts')
    const request = { details, remotes: false, repositories: [] }
    const report = await serviceReport(base, health, { definition: apiGatewaySettings }, request, signal)
    return create(ServiceReportSchema, report)
  }
}

/** Opens the store, and makes the id of the installation where there is none. */
async function openObjects(
  base: ServiceBase,
  settings: ApiGatewaySettings,
  signal: AbortSignal | undefined,
): Promise<State> {
  await using owned = new AsyncDisposableStack()
  const state = owned.use(await openState(base, settings, gatewayObjects, signal))
  await openInstallation(base, state.store, signal)
  owned.move()
  return state
}

function callLimits(
  { callsPerAccount: perAccount, callsPerAddress: perAddress }: ApiGatewaySettings,
  counters: SharedCounters | undefined,
): ReturnType<typeof createCallLimits> {
  return createCallLimits({ perAccount, perAddress }, counters)
}

/** The counters that gateways share; undefined where they share no Redis. */
async function openCounters(
  { redis: url }: ApiGatewaySettings,
  { logger }: ServiceBase,
): Promise<SharedCounters | undefined> {
  if (!url) return undefined
  const { openSharedCounters } = await import('./limits/shared-counters.ts')
  return openSharedCounters(url, logger)
}

/** The paths beside the RPCs: those that are limited, then the web console. */
async function withConsole({ consoleDirectory }: ApiGatewaySettings, limited: HttpRoute): Promise<HttpRoute> {
  const showConsole = answerConsole(await readConsole(resolve(consoleDirectory ?? builtConsole)))
  return (request, response) => limited(request, response) || showConsole(request, response)
}

/** The clients of the other services; disposed with `owned`. */
async function connectServices(base: ServiceBase, settings: ApiGatewaySettings, owned: AsyncDisposableStack) {
  const connect = async <S extends DescService>(
    service: S,
    name: string,
    endpoints: readonly string[],
    routeKeyOf?: RouteKeyOf,
  ) => owned.use(await connectTo(base, service, name, endpoints, routeKeyOf))
  const diagnose = (name: string, endpoints: readonly string[]) =>
    connect(ServiceDiagnosticsService, name, endpoints, toEveryReplica)
  return {
    hydrator: await connect(HydratorService, 'hydrator', settings.hydrators),
    repoServer: await connect(RepoServerService, 'repo-server', settings.repoServers, repositoryRoute),
    commitServer: await connect(
      CommitServerService,
      'commit-server',
      settings.commitServers,
      repositoryRoute,
    ),
    forges: await connect(ForgeService, 'commit-server', settings.commitServers, repositoryRoute),
    applicationSets: await connect(ApplicationSetService, 'appset-service', settings.appsetServices),
    appsetService: await connect(AppsetService, 'appset-service', settings.appsetServices, toEveryReplica),
    diagnosed: {
      'repo-server': await diagnose('repo-server', settings.repoServers),
      'commit-server': await diagnose('commit-server', settings.commitServers),
      hydrator: await diagnose('hydrator', settings.hydrators),
      'appset-service': await diagnose('appset-service', settings.appsetServices),
    },
  }
}

function isOpenMethod(service: DescService, method: DescMethod): boolean {
  const access = rpcRuleOf(service, method)?.access
  return access === 'open' || access === 'published'
}
