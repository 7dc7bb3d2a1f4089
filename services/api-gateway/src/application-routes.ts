import type { ServiceImpl } from '@connectrpc/connect'
import type { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { GatewayContext } from './context.ts'
import { keepObjects } from './applications/kept-objects.ts'
import { keepOrigins } from './applications/object-origins.ts'
import { applyApplications } from './routes/apply-applications.ts'
import { changedApplicationRoutes } from './routes/changed-applications.ts'
import { compareManifests } from './routes/compare-manifests.ts'
import { explainObject } from './routes/explain-object.ts'
import { getApplication } from './routes/get-application.ts'
import { getCommitChanges } from './routes/get-commit-changes.ts'
import { getGates } from './routes/get-gates.ts'
import { getManifests } from './routes/get-manifests.ts'
import { getObject } from './routes/get-object.ts'
import { getParameters } from './routes/get-parameters.ts'
import { listApplicationChoices } from './routes/list-application-choices.ts'
import { listApplications } from './routes/list-applications.ts'
import { listObjectOrigins } from './routes/list-object-origins.ts'
import { listObjects } from './routes/list-objects.ts'
import { moveApplication } from './routes/move-application.ts'
import { previewParameters } from './routes/preview-parameters.ts'
import { restoreDrySource } from './routes/restore-dry-source.ts'
import { runRoutes } from './routes/runs.ts'
import { searchApplications } from './routes/search-applications.ts'
import { searchFindings } from './routes/search-findings.ts'
import { setParameters } from './routes/set-parameters.ts'
import { watchApplicationSummaries } from './routes/watch-application-summaries.ts'
import { watchApplications } from './routes/watch-applications.ts'

/** The RPCs of ApplicationService; streams end when the gateway drains. */
export function applicationRoutes(
  context: GatewayContext,
  draining: AbortSignal,
): ServiceImpl<typeof ApplicationService> {
  const objects = keepObjects(context)
  const origins = keepOrigins(context)
  return {
    listApplications: listApplications(context),
    getApplication: getApplication(context),
    ...changedApplicationRoutes(context),
    applyApplications: applyApplications(context),
    moveApplication: moveApplication(context),
    watchApplications: watchApplications(context, draining),
    getManifests: getManifests(context),
    listObjects: listObjects(context, objects, origins),
    listObjectOrigins: listObjectOrigins(context, objects, origins),
    explainObject: explainObject(context, objects, origins),
    getObject: getObject(context, objects),
    ...runRoutes(context),
    getParameters: getParameters(context),
    setParameters: setParameters(context),
    restoreDrySource: restoreDrySource(context),
    previewParameters: previewParameters(context),
    getGates: getGates(context),
    getCommitChanges: getCommitChanges(context),
    compareManifests: compareManifests(context),
    searchApplications: searchApplications(context),
    watchApplicationSummaries: watchApplicationSummaries(context, draining),
    listApplicationChoices: listApplicationChoices(context),
    searchFindings: searchFindings(context),
  }
}
