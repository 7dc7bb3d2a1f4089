import { join, resolve } from 'node:path'
import { loadTemplateEngine } from '@wadi/gotemplate/template.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { openSqliteStore } from '@wadi/resources/sqlite-store.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { connectTo, openServiceBase, serve } from '@wadi/rpc/service-base.ts'
import type { AppsetServiceContext } from './context.ts'
import { createAppsetServiceEvents } from './events.ts'
import { GeneratedMemo } from './generated-memo.ts'
import { generateApplications } from './routes/generate-applications.ts'
import type { AppsetServiceSettings } from './settings.ts'

/** Starts appset-service; disposal drains it and closes what it holds. */
export async function startAppsetService(settings: AppsetServiceSettings): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('appset-service', settings)
  const { maxApplications, maxMessageSize, generationTimeout, stateFile, dataDirectory } = settings
  const context: AppsetServiceContext = {
    store: owned.use(openSqliteStore({ file: stateFile ?? join(resolve(dataDirectory), 'state.db') })),
    repoServer: owned.use(await connectTo(base, RepoServerService, 'repo-server', settings.repoServers)),
    loadTemplates: loadTemplateEngine,
    limits: { applications: maxApplications, bytes: maxMessageSize, milliseconds: generationTimeout },
    memo: new GeneratedMemo(),
    events: createAppsetServiceEvents(base.logger, base.metrics),
  }
  return serve(base, {
    services: [AppsetService],
    routes: (router) =>
      router.service(AppsetService, { generateApplications: generateApplications(context) }),
    owned: owned.move(),
  })
}
