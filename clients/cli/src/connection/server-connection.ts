import { Code, ConnectError, createClient } from '@connectrpc/connect'
import type { Client, Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { setTimeout as pause } from 'node:timers/promises'
import { explainConnectionFailure } from './connection-failure.ts'
import type { GlobalFlags } from '../command-line/global-flags.ts'
import { callTimeoutMs, findServerAccess, maxAnswerBytes } from './server-access.ts'
import type { CallToken } from '../sign-in/call-token.ts'

/** The services that commands call. Each is loaded for the commands that name it: its messages are much code. */
const services = {
  accounts: async () => (await import('@wadi/protocol/gen/argocd/account/account_pb.ts')).AccountService,
  applications: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts')).ApplicationService,
  applicationSets: async () =>
    (await import('@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'))
      .ApplicationSetService,
  branches: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts')).BranchService,
  certificates: async () =>
    (await import('@wadi/protocol/gen/argocd/certificate/certificate_pb.ts')).CertificateService,
  clusters: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts')).ClusterService,
  diagnostics: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts')).DiagnosticsService,
  environments: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts')).EnvironmentService,
  gpgKeys: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts')).GpgKeyService,
  plugins: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts')).PluginService,
  projects: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts')).ProjectService,
  repositories: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts')).RepositoryService,
  resources: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts')).ResourceService,
  reviews: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts')).ReviewService,
  sessions: async () => (await import('@wadi/protocol/gen/argocd/session/session_pb.ts')).SessionService,
  settings: async () => (await import('@wadi/protocol/gen/argocd/cluster/settings_pb.ts')).SettingsService,
  tools: async () => (await import('@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts')).ToolService,
  version: async () =>
    (await import('@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts')).VersionService,
}

/** The name of a service that commands call. */
export type ServiceName = keyof typeof services

type NamedService<Name extends ServiceName> = Awaited<ReturnType<(typeof services)[Name]>>

/** Clients of the named services of one server. */
export type ServerConnection<Name extends ServiceName = ServiceName> = {
  [Each in Name]: Client<NamedService<Each>>
} & {
  /** Returns the token that calls carry; empty when nobody is signed in. */
  token(): Promise<string>
}

/**
 * Prepares calls of the named services to the chosen server: Connect protocol with JSON over HTTP/1.1, which passes every proxy.
 * @throws CommandFailure with exit code 1 when the server, a header or a certificate file cannot be used.
 */
export async function connectToServer<Name extends ServiceName = never>(
  flags: GlobalFlags,
  environment: NodeJS.ProcessEnv,
  ...names: Name[]
): Promise<ServerConnection<Name>> {
  const { url, headers, token, tls } = await findServerAccess(flags, environment)
  const addHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of headers) request.header.append(name, value)
    return next(request)
  }
  const transport = createConnectTransport({
    baseUrl: url,
    httpVersion: '1.1',
    useBinaryFormat: false,
    defaultTimeoutMs: callTimeoutMs,
    readMaxBytes: maxAnswerBytes,
    interceptors: [
      explainConnectionFailure(url),
      addHeaders,
      repeatReads(flags.httpRetryMax),
      proveCaller(token),
    ],
    nodeOptions: tls,
  })
  const connection = { token: () => token.current() }
  for (const name of names) {
    const service: NamedService<ServiceName> = await services[name]()
    Object.assign(connection, { [name]: createClient(service, transport) })
  }
  return connection as ServerConnection<Name>
}

/** Calls carry the token, and the next one of the session that an answer may bring is kept. */
function proveCaller(token: CallToken): Interceptor {
  return (next) => async (request) => {
    const carried = await token.current()
    if (carried !== '') request.header.set('authorization', `Bearer ${carried}`)
    const response = await next(request)
    const renewed = response.header.get('renew-token')
    if (renewed !== null) await token.renew(carried, renewed)
    return response
  }
}

function repeatReads(times: number): Interceptor {
  return (next) => async (request) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await next(request)
      } catch (error) {
        const readsOnly = request.method.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN
        if (attempt >= times || !readsOnly || ConnectError.from(error).code !== Code.Unavailable) throw error
        await pause(Math.min(100 * 2 ** attempt, 5_000), undefined, { signal: request.signal })
      }
    }
  }
}
