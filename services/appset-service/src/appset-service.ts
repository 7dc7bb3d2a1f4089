import { loadTemplateEngine } from '@wadi/gotemplate/template.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import type { RunningServer } from '@wadi/rpc/start-server.ts'
import { openServiceBase, serve } from '@wadi/rpc/service-base.ts'
import type { AppsetServiceContext } from './context.ts'
import { createAppsetServiceEvents } from './events.ts'
import { generateApplications } from './routes/generate-applications.ts'
import type { AppsetServiceSettings } from './settings.ts'

/** Starts appset-service; disposal drains it. */
export async function startAppsetService(settings: AppsetServiceSettings): Promise<RunningServer> {
  await using owned = new AsyncDisposableStack()
  const base = await openServiceBase('appset-service', settings)
  const context: AppsetServiceContext = {
    loadTemplates: loadTemplateEngine,
    limits: { applications: settings.maxApplications, bytes: settings.maxMessageSize },
    events: createAppsetServiceEvents(base.logger, base.metrics),
  }
  return serve(base, {
    services: [AppsetService],
    routes: (router) =>
      router.service(AppsetService, { generateApplications: generateApplications(context) }),
    owned: owned.move(),
  })
}
