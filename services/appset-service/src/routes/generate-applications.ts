import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type { GenerateApplicationsRequest } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { parseApplicationSet } from '../application-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { applicationsOf } from '../generate-applications.ts'
import { fastRenderer, goRenderer } from '../templates/render-template.ts'

/** Returns the Applications that an ApplicationSet generates. */
export function generateApplications({ loadTemplates, limits, events }: AppsetServiceContext) {
  return async ({ applicationSet }: GenerateApplicationsRequest, { signal }: HandlerContext) => {
    const set = parseApplicationSet(applicationSet)
    const render = set.goTemplate
      ? goRenderer(await loadTemplates(), set.goTemplate.missingKey)
      : fastRenderer
    const applications = await applicationsOf(set, render, limits, signal)
    events.generated(set.name, applications.length)
    return { applications: applications.map((application) => application as JsonObject) }
  }
}
