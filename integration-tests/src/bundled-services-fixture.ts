// Several services in one process, in the order in which TEST_SERVICES names them: `{"<service>": {"WADI_LISTEN": …, …}}`.
import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'

const starts = {
  'cmp-server': async (env: NodeJS.ProcessEnv) => {
    const { startCmpServer } = await import('@wadi/cmp-server/cmp-server.ts')
    const { cmpServerSettings } = await import('@wadi/cmp-server/settings.ts')
    return startCmpServer(readSettings(cmpServerSettings, { env, argv: [] }))
  },
  'repo-server': async (env: NodeJS.ProcessEnv) => {
    const { startRepoServer } = await import('@wadi/repo-server/repo-server.ts')
    const { repoServerSettings } = await import('@wadi/repo-server/settings.ts')
    return startRepoServer(readSettings(repoServerSettings, { env, argv: [] }))
  },
  'commit-server': async (env: NodeJS.ProcessEnv) => {
    const { startCommitServer } = await import('@wadi/commit-server/commit-server.ts')
    const { commitServerSettings } = await import('@wadi/commit-server/settings.ts')
    return startCommitServer(readSettings(commitServerSettings, { env, argv: [] }))
  },
  hydrator: async (env: NodeJS.ProcessEnv) => {
    const { startHydrator } = await import('@wadi/hydrator/hydrator.ts')
    const { hydratorSettings } = await import('@wadi/hydrator/settings.ts')
    return startHydrator(readSettings(hydratorSettings, { env, argv: [] }))
  },
  'api-gateway': async (env: NodeJS.ProcessEnv) => {
    const { startApiGateway } = await import('@wadi/api-gateway/api-gateway.ts')
    const { apiGatewaySettings } = await import('@wadi/api-gateway/settings.ts')
    return startApiGateway(readSettings(apiGatewaySettings, { env, argv: [] }))
  },
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
