import type { HandlerContext } from '@connectrpc/connect'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ListApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { readBranches, viewApplication } from '../applications/application-view.ts'
import { toStruct } from '../applications/read-application.ts'
import { fieldPicker } from '../applications/picked-fields.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the Applications that the caller may see, with their hydration status. */
export function listApplications({ store, authorization }: GatewayContext) {
  return async ({ namespace, selector, projects, fields }: ListApplicationsRequest, call: HandlerContext) => {
    const options = { ...(namespace && { namespace }), ...(selector && { labelSelector: selector }) }
    const [{ items }, records] = await Promise.all([
      store.list('Application', options),
      store.list('HydratedBranch', { namespace: controlPlaneNamespace }),
    ])
    const branches = readBranches(records.items)
    const wanted = new Set(projects)
    const pick = fieldPicker(fields)
    const applications = []
    for (const item of items) {
      const object = applicationObject(item)
      if (wanted.size > 0 && !wanted.has(object.slice(0, object.indexOf('/')))) continue
      if (!authorization.allows(call, 'applications', 'get', object)) continue
      applications.push(pick(toStruct(viewApplication(item, branches))))
    }
    return { applications }
  }
}
