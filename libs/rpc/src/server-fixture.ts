import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { Health } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { createServiceClient } from './create-client.ts'
import type { ServiceClientOptions } from './create-client.ts'
import { createHealthRegistry } from './health-registry.ts'
import { createServiceIdentity } from './service-identity.ts'
import { startServer } from './start-server.ts'
import type { ServerOptions } from './start-server.ts'

/** The key that the servers and clients of all test processes share. */
export const testKey = Buffer.alloc(32, 'test')

/** Starts a server on a free port whose health RPCs a test may replace; `lines` collects its log. */
export async function startTestServer(
  options: Partial<Omit<ServerOptions, 'authenticate' | 'identity'>> & {
    rpcs?: Partial<ServiceImpl<typeof Health>>
  } = {},
) {
  const lines: Record<string, unknown>[] = []
  const health = options.health ?? createHealthRegistry()
  const { rpcs, ...rest } = options
  const server = await startServer({
    name: 'repo-server',
    listen: '127.0.0.1:0',
    services: [],
    routes: (router: ConnectRouter) => {
      if (rpcs !== undefined) router.service(Health, { ...health.implementation, ...rpcs })
    },
    health,
    metrics: createMetrics('repo-server'),
    logger: createLogger({
      service: 'repo-server',
      level: 'debug',
      format: 'json',
      write: (line) => lines.push(JSON.parse(line)),
    }),
    authenticate: 'service',
    identity: createServiceIdentity({ key: testKey, service: 'repo-server' }),
    ...rest,
    // Idle connections of `fetch` would hold up the end of each test.
    limits: { farewellMs: 50, ...rest.limits },
  })
  return { ...server, health, lines }
}

/** Creates a health client that calls as the hydrator. */
export function createTestClient(endpoints: readonly string[], options: Partial<ServiceClientOptions> = {}) {
  return createServiceClient(Health, {
    endpoints,
    identity: createServiceIdentity({ key: testKey, service: 'hydrator' }),
    audience: 'repo-server',
    ...options,
  })
}

/** Creates a temporary directory that is removed on disposal. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { path: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'wadi-rpc-'))
  return {
    path: directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
