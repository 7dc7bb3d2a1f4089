import { readFile } from 'node:fs/promises'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import type { Client, Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { setTimeout as pause } from 'node:timers/promises'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_set_service_pb.ts'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { CommandFailure } from './command-failure.ts'
import type { GlobalFlags } from './global-flags.ts'
import { chooseServer } from './server-choice.ts'

/** The services of one server. */
export interface ServerConnection {
  applications: Client<typeof ApplicationService>
  applicationSets: Client<typeof ApplicationSetService>
  plugins: Client<typeof PluginService>
  repositories: Client<typeof RepositoryService>
  resources: Client<typeof ResourceService>
  version: Client<typeof VersionService>
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
  const headers = (flags.header ?? []).map(parseHeader)
  const addHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of headers) request.header.append(name, value)
    if (server.token !== '') request.header.set('authorization', `Bearer ${server.token}`)
    return next(request)
  }
  const transport = createConnectTransport({
    baseUrl: server.url,
    httpVersion: '1.1',
    useBinaryFormat: false,
    defaultTimeoutMs: callTimeoutMs,
    readMaxBytes: maxMessageBytes,
    interceptors: [explainAbsence(server.url), addHeaders, repeatReads(flags.httpRetryMax)],
    nodeOptions: { rejectUnauthorized: !server.insecure, ...(await tlsMaterial(flags)) },
  })
  return {
    applications: createClient(ApplicationService, transport),
    applicationSets: createClient(ApplicationSetService, transport),
    plugins: createClient(PluginService, transport),
    repositories: createClient(RepositoryService, transport),
    resources: createClient(ResourceService, transport),
    version: createClient(VersionService, transport),
  }
}

function explainAbsence(url: string): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request)
    } catch (error) {
      const failure = ConnectError.from(error)
      if (!failure.isWireError && failure.rawMessage.includes('wrong version number')) {
        const reason = `the server at ${url} speaks no TLS: add --plaintext, or write http:// before its address`
        throw new ConnectError(reason, Code.Unavailable, undefined, undefined, failure)
      }
      if (failure.isWireError || !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(failure.rawMessage)) throw failure
      throw new ConnectError(
        `no server answers at ${url} (${failure.rawMessage})`,
        Code.Unavailable,
        undefined,
        undefined,
        failure,
      )
    }
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
