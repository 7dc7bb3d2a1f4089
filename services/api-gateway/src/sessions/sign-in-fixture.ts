import { createClient, type Client } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import type { DescService } from '@bufbuild/protobuf'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { VersionService as ArgocdVersionService } from '@wadi/protocol/gen/argocd/version/version_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'
import { createHealthRegistry } from '@wadi/rpc/health-registry.ts'
import { startServer } from '@wadi/rpc/start-server.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { storePassword } from '../accounts/password.ts'
import { argocdAccounts } from '../argocd/account-service.ts'
import { argocdSessions } from '../argocd/session-service.ts'
import { argocdSettings } from '../argocd/settings-service.ts'
import { argocdVersion } from '../argocd/version-service.ts'
import { authenticate, type ForeignTokenVerifier, tokenVerifier } from '../authentication/authenticate.ts'
import { callerOf } from '../authentication/caller.ts'
import { type GatewayFixture, openGatewayFixture } from '../gateway-fixture.ts'
import { SignInService } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { until } from '@wadi/testing/until.ts'
import { answerProviderSignIn } from '../oidc/answer-provider-sign-in.ts'
import { foreignTokens } from '../oidc/foreign-tokens.ts'
import { signInRoutes } from '../routes/sign-in.ts'
import { answerLogout } from './answer-logout.ts'
import { startSession, type SignIn } from './sign-in.ts'
import { requireAccount } from '../accounts/account.ts'

/** The token that the operator gave. */
export const operatorToken = 'wadi_token-of-the-operator-in-tests'

/** A server with the services of sign-in over a real store, whose clock a test moves. */
export interface SignInFixture extends AsyncDisposable {
  gateway: GatewayFixture
  signIn: SignIn
  address: string
  clock: Clock
  client: <S extends DescService>(service: S) => Client<S>
  accounts: Client<typeof AccountService>
  sessions: Client<typeof SessionService>
  /** Returns the name in policies of the caller with these headers. */
  whoAmI: (headers: Record<string, string>) => Promise<string>
  /** Replaces the values of the ConfigMap `argocd-cm`. */
  configure: (data: Record<string, string>) => Promise<void>
  setPassword: (account: string, hash: string) => Promise<void>
  /** Returns a token of a new session of an account. */
  sessionOf: (account: string) => Promise<string>
}

/** A clock that is right until it is moved. */
export interface Clock {
  aheadSeconds: number
}

/** Starts the services of sign-in; VersionService of Wadi stands for all that need a caller, and returns who that is. */
export async function openSignInFixture(
  options: { verifyForeignToken?: ForeignTokenVerifier; tokenSeconds?: number } = {},
): Promise<SignInFixture> {
  const { verifyForeignToken, tokenSeconds } = options
  const clock: Clock = { aheadSeconds: 0 }
  const gateway = await openGatewayFixture(
    {},
    {
      now: () => Date.now() / 1_000 + clock.aheadSeconds,
      ...(tokenSeconds !== undefined && { tokenSeconds }),
    },
  )
  const { context } = gateway
  const { signIn, store, logger } = context
  const verify = verifyForeignToken ?? foreignTokens(signIn.objects, context.policy)
  const proof = { signIn, operatorToken, verifyForeignToken: verify }
  const logs = { logger, auditLog: logger, trustedProxies: 0 }
  const server = await startServer({
    name: 'api-gateway',
    listen: '127.0.0.1:0',
    services: [],
    health: createHealthRegistry(),
    metrics: createMetrics('api-gateway'),
    logger,
    routes: (router) => {
      router.service(AccountService, argocdAccounts(context))
      router.service(SessionService, argocdSessions(context))
      router.service(SettingsService, argocdSettings(context))
      router.service(ArgocdVersionService, argocdVersion)
      router.service(SignInService, signInRoutes(context))
      router.service(VersionService, {
        getVersion: (_request, call) => ({ version: callerOf(call).subject.sub }),
      })
    },
    authenticate: authenticate({
      ...proof,
      isOpenMethod: (service, method) => rpcRuleOf(service, method)?.access === 'open',
    }),
    httpRoutes: (request, response) =>
      answerLogout(signIn, tokenVerifier(proof), logs)(request, response) ||
      answerProviderSignIn({ signIn, verify, ...logs })(request, response),
  })
  const transport = createConnectTransport({ baseUrl: server.address, httpVersion: '1.1' })
  const client = <S extends DescService>(service: S) => createClient(service, transport)
  return {
    gateway,
    signIn,
    address: server.address,
    clock,
    client,
    accounts: client(AccountService),
    sessions: client(SessionService),
    whoAmI: async (headers) => (await client(VersionService).getVersion({}, { headers })).version,
    configure: async (data) => {
      const metadata = { name: 'argocd-cm', namespace: controlPlaneNamespace }
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
      const stored = await store.get('ConfigMap', controlPlaneNamespace, 'argocd-cm')
      await (stored
        ? mutate(store, 'ConfigMap', controlPlaneNamespace, 'argocd-cm', () => configMap)
        : store.create(configMap))
      await until(() => JSON.stringify(signIn.objects.config) === JSON.stringify(data))
    },
    setPassword: (account, hash) => storePassword(signIn.objects, account, hash, signIn.now() - 10),
    sessionOf: (account) => startSession(signIn, requireAccount(signIn.objects, account)),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
}

/** Metadata with a token as argocd's CLI sends it. */
export function withToken(token: string): { headers: Record<string, string> } {
  return { headers: { token } }
}
