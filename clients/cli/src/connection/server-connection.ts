import { readFile } from 'node:fs/promises'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import type { Client, Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { setTimeout as pause } from 'node:timers/promises'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { ClusterService } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { GpgKeyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explainConnectionFailure } from './connection-failure.ts'
import type { GlobalFlags } from '../command-line/global-flags.ts'
import { chooseServer } from './server-choice.ts'
import { callToken } from '../sign-in/call-token.ts'
import type { CallToken } from '../sign-in/call-token.ts'

/** The services of one server. */
export interface ServerConnection {
  accounts: Client<typeof AccountService>
  applications: Client<typeof ApplicationService>
  applicationSets: Client<typeof ApplicationSetService>
  clusters: Client<typeof ClusterService>
  gpgKeys: Client<typeof GpgKeyService>
  plugins: Client<typeof PluginService>
  projects: Client<typeof ProjectService>
  repositories: Client<typeof RepositoryService>
  resources: Client<typeof ResourceService>
  sessions: Client<typeof SessionService>
  settings: Client<typeof SettingsService>
  version: Client<typeof VersionService>
  /** Returns the token that calls carry; empty when nobody is signed in. */
  token(): Promise<string>
}

/** A call that takes longer than this fails; streams set their own limit. */
const callTimeoutMs = 300_000
const maxMessageBytes = 256 * 1024 * 1024

/**
 * Prepares the calls to the chosen server: Connect protocol with JSON over HTTP/1.1, which passes every proxy.
 * @throws CommandFailure with exit code 1 when the server, a header or a certificate file cannot be used.
 */
export async function connectToServer(
  flags: GlobalFlags,
  environment: NodeJS.ProcessEnv,
): Promise<ServerConnection> {
  const server = await chooseServer(flags, environment)
  const token = callToken(server)
  const headers = (flags.header ?? []).map(parseHeader)
  const addHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of headers) request.header.append(name, value)
    return next(request)
  }
  const transport = createConnectTransport({
    baseUrl: server.url,
    httpVersion: '1.1',
    useBinaryFormat: false,
    defaultTimeoutMs: callTimeoutMs,
    readMaxBytes: maxMessageBytes,
    interceptors: [
      explainConnectionFailure(server.url),
      addHeaders,
      repeatReads(flags.httpRetryMax),
      proveCaller(token),
    ],
    nodeOptions: { rejectUnauthorized: !server.insecure, ...(await tlsMaterial(flags)) },
  })
  return {
    accounts: createClient(AccountService, transport),
    applications: createClient(ApplicationService, transport),
    applicationSets: createClient(ApplicationSetService, transport),
    clusters: createClient(ClusterService, transport),
    gpgKeys: createClient(GpgKeyService, transport),
    plugins: createClient(PluginService, transport),
    projects: createClient(ProjectService, transport),
    repositories: createClient(RepositoryService, transport),
    resources: createClient(ResourceService, transport),
    sessions: createClient(SessionService, transport),
    settings: createClient(SettingsService, transport),
    version: createClient(VersionService, transport),
    token: () => token.current(),
  }
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

function parseHeader(header: string): [string, string] {
  const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(header) ?? []
  if (name === undefined || value === undefined) {
    throw new CommandFailure(
      '--header takes "Name: value"; the given text has no name and colon at its start',
      1,
    )
  }
  return [name, value]
}

async function tlsMaterial(flags: GlobalFlags): Promise<{ ca?: Buffer; cert?: Buffer; key?: Buffer }> {
  return {
    ...(flags.serverCrt && { ca: await readFile(flags.serverCrt) }),
    ...(flags.clientCrt && { cert: await readFile(flags.clientCrt) }),
    ...(flags.clientCrtKey && { key: await readFile(flags.clientCrtKey) }),
  }
}
