import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'

/** The operator's token of every gateway that is started here. */
export const adminToken = 'a token of the operator that is long enough'

/** Starts a gateway in a process of its own, whose log can be read; the log level is info. */
export async function startGatewayProcess(environment: Record<string, string> = {}) {
  const directory = await mkdtempDisposable(join(tmpdir(), 'wadi-edge-'))
  const child = spawn(process.execPath, [...nodeOptions, new URL('main.ts', import.meta.url).pathname], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      WADI_LISTEN: '127.0.0.1:0',
      WADI_DATA_DIR: directory.path,
      WADI_SERVICE_KEY_FILE: join(directory.path, 'service.key'),
      WADI_ADMIN_TOKEN: adminToken,
      WADI_LOG_LEVEL: 'info',
      WADI_LOG_FORMAT: 'json',
      ...environment,
    },
  })
  const lines: Record<string, unknown>[] = []
  const address = Promise.withResolvers<string>()
  let rest = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = JSON.parse(part) as Record<string, unknown>
      lines.push(line)
      if (line['msg'] === 'serving') address.resolve(String(line['address']))
    }
  })
  const baseUrl = await address.promise
  const transport = createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false })
  return {
    baseUrl,
    directory: directory.path,
    sessions: createClient(SessionService, transport),
    accounts: createClient(AccountService, transport),
    applications: createClient(ApplicationService, transport),
    resources: createClient(ResourceService, transport),
    repoServer: createClient(RepoServerService, transport),
    /** The audit lines so far, once there are so many of them. */
    audits: async (count: number) => {
      const deadline = performance.now() + 10_000
      const found = () => lines.filter((line) => line['msg'] === 'audit').map((line) => line['audit'])
      while (found().length < count && performance.now() < deadline) await once(child.stderr, 'data')
      return found() as Record<string, unknown>[]
    },
    log: () => JSON.stringify(lines),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await directory[Symbol.asyncDispose]()
    },
  }
}
