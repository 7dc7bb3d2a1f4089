import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ListApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { parseApplication } from '@wadi/resources/application.ts'
import { readBranches, viewApplication } from '../applications/application-view.ts'
import { toStruct } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** Lists Applications with their hydration status. */
export function listApplications({ store }: GatewayContext) {
  return async ({ namespace, selector, projects }: ListApplicationsRequest) => {
    const options = { ...(namespace && { namespace }), ...(selector && { labelSelector: selector }) }
    const [{ items }, records] = await Promise.all([
      store.list('Application', options),
      store.list('HydratedBranch', { namespace: controlPlaneNamespace }),
    ])
    const branches = readBranches(records.items)
    const wanted = items.filter(
      (item) => projects.length === 0 || projects.includes(parseApplication(item).project),
    )
    return { applications: wanted.map((item) => toStruct(viewApplication(item, branches))) }
  }
}
