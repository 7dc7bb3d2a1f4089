// Several services in one process, in the order in which TEST_SERVICES names them: `{"<service>": {"WADI_LISTEN": …, …}}`.
import { startApiGateway } from '@wadi/api-gateway/api-gateway.ts'
import { apiGatewaySettings } from '@wadi/api-gateway/settings.ts'
import { startCommitServer } from '@wadi/commit-server/commit-server.ts'
import { commitServerSettings } from '@wadi/commit-server/settings.ts'
import { startRepoServer } from '@wadi/repo-server/repo-server.ts'
import { repoServerSettings } from '@wadi/repo-server/settings.ts'
import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'

const starts = {
  'repo-server': (env: NodeJS.ProcessEnv) =>
    startRepoServer(readSettings(repoServerSettings, { env, argv: [] })),
  'commit-server': (env: NodeJS.ProcessEnv) =>
    startCommitServer(readSettings(commitServerSettings, { env, argv: [] })),
  'api-gateway': (env: NodeJS.ProcessEnv) =>
    startApiGateway(readSettings(apiGatewaySettings, { env, argv: [] })),
}

/** A service that can share a process with others. */
export type BundledName = keyof typeof starts

await runService(async () => {
  await using owned = new AsyncDisposableStack()
  const services: Partial<Record<BundledName, Record<string, string>>> = JSON.parse(
    process.env['TEST_SERVICES'] ?? '{}',
  )
  let drainTimeoutMs = 0
  for (const [name, start] of Object.entries(starts)) {
    const own = services[name as BundledName]
    if (own === undefined) continue
    const service = owned.use(await start({ ...process.env, ...own }))
    drainTimeoutMs = Math.max(drainTimeoutMs, service.drainTimeoutMs)
  }
  const moved = owned.move()
  return { drainTimeoutMs, [Symbol.asyncDispose]: () => moved.disposeAsync() }
})
