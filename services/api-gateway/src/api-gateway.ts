import { join, resolve } from 'node:path'
import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import { urlPolicy } from '@wadi/repositories/repository-service-settings.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'
import { connectTo, openServiceBase, serve, type ServiceBase } from '@wadi/rpc/service-base.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { createAuthorization } from './authorization/authorization.ts'
import { makeInitialAdminPassword } from './accounts/initial-admin-password.ts'
import { readAdminToken } from './authentication/admin-token.ts'
import { authenticate, tokenVerifier } from './authentication/authenticate.ts'
import type { GatewayContext } from './context.ts'
import { answerLogout } from './sessions/answer-logout.ts'
import { rotateKeys } from './sessions/key-rotation.ts'
import { openSignIn } from './sessions/sign-in.ts'
import { watchStreams } from './sessions/watch-streams.ts'
import type { ApiGatewaySettings } from './settings.ts'
import { answerWebhook } from './webhooks/answer-webhook.ts'
import { publicServices, routePublicServices } from './public-services.ts'
import { admitCalls } from './authentication/admit-calls.ts'
import { auditWrites, openAuditLog } from './audit/audit-log.ts'
import { refuseUnknownFields } from './argocd/wire-known-fields.ts'
import { requireDecision } from './authorization/decided-by-policy.ts'
import { createCallLimits } from './limits/call-limits.ts'
import { limitedRoutes } from './limits/limited-routes.ts'
import { foreignTokens } from './oidc/foreign-tokens.ts'
import { oidcConfigError } from './oidc/oidc-config.ts'

/** Starts the API gateway; disposal drains it and closes what it holds. */
export async function startApiGateway(settings: ApiGatewaySettings): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('api-gateway', settings)
  const dataDirectory = resolve(settings.dataDirectory)
  const token = await readAdminToken(settings.adminToken, join(dataDirectory, 'admin.token'))
  const store = owned.use(openSqliteStore({ file: settings.stateFile ?? join(dataDirectory, 'state.db') }))
  const policy = owned.use(
    await followPolicy(store, (reason) => base.logger.error({ reason }, 'the policy cannot be read')),
  )
  const tokenSeconds = settings.sessionTokenLifetime / 1_000
  const signIn = owned.use(await openSignIn(store, { tokenSeconds }))
  owned.use(await rotateKeys(signIn, base.logger))
  await makeInitialAdminPassword(signIn.objects, signIn.now())
  const verifyForeignToken = foreignTokens(signIn.objects, policy)
  const proof = { signIn, operatorToken: token, verifyForeignToken }
  const context: GatewayContext = {
    signIn,
    store,
    policy,
    authorization: createAuthorization(policy),
    urlPolicy: urlPolicy(settings),
    ...(await connectServices(base, settings, owned)),
    logger: base.logger,
  }
  const auditLog = openAuditLog(settings.auditFile)
  const { trustedProxies } = settings
  const signOut = answerLogout(signIn, tokenVerifier(proof), {
    logger: base.logger,
    auditLog,
    trustedProxies,
  })
  const limits = createCallLimits({
    perAccount: settings.callsPerAccount,
    perAddress: settings.callsPerAddress,
  })
  const receivePush = answerWebhook(context)
  return serve(base, {
    services: publicServices,
    routes: (router, draining) => routePublicServices(router, context, draining),
    owned: owned.move(),
    checks: { policy: () => (policy.isMissing ? policy.error : undefined) },
    warnings: {
      policy: () => policy.error,
      signIn: () => oidcConfigError(signIn.objects.config['oidc.config']),
    },
    authenticate: admitCalls(authenticate({ ...proof, isOpenMethod }), limits, auditLog),
    edge: {
      httpRoutes: limitedRoutes([signOut, receivePush], limits, trustedProxies),
      interceptors: [auditWrites(auditLog), refuseUnknownFields, requireDecision, watchStreams(signIn)],
      crossOrigins: settings.crossOrigins,
      trustedProxies,
    },
  })
}

/** The clients of the other services; disposed with `owned`. */
async function connectServices(base: ServiceBase, settings: ApiGatewaySettings, owned: AsyncDisposableStack) {
  const connect = async <S extends DescService>(service: S, name: string, endpoints: readonly string[]) =>
    owned.use(await connectTo(base, service, name, endpoints))
  return {
    hydrator: await connect(HydratorService, 'hydrator', settings.hydrators),
    repoServer: await connect(RepoServerService, 'repo-server', settings.repoServers),
    commitServer: await connect(CommitServerService, 'commit-server', settings.commitServers),
    applicationSets: await connect(ApplicationSetService, 'appset-service', settings.appsetServices),
    appsetService: await connect(AppsetService, 'appset-service', settings.appsetServices),
  }
}

function isOpenMethod(service: DescService, method: DescMethod): boolean {
  const access = rpcRuleOf(service, method)?.access
  return access === 'open' || access === 'published'
}
