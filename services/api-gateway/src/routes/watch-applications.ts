import type { HandlerContext } from '@connectrpc/connect'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { WatchApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import { parseApplication } from '@wadi/resources/application.ts'
import { branchKeyOf, readBranches, viewApplication } from '../applications/application-view.ts'
import { toStruct } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/** Streams Applications as users see them, again whenever the object or the record of its branch changes. */
export function watchApplications({ store }: GatewayContext, draining: AbortSignal) {
  return async function* ({ namespace, name }: WatchApplicationsRequest, call: HandlerContext) {
    const signal = AbortSignal.any([call.signal, draining])
    const isWanted = ({ metadata }: Resource): boolean =>
      (namespace === '' || metadata.namespace === namespace) && (name === '' || metadata.name === name)
    const applications = new Map<string, Resource>()
    // Known beforehand, so that an Application is whole when it is told first, whichever kind the store tells first.
    const branches = readBranches(
      (await store.list('HydratedBranch', { namespace: controlPlaneNamespace })).items,
    )
    const told = new Map<string, string>()
    const tell = function* (key: string, resource: Resource) {
      const application = toStruct(viewApplication(resource, branches))
      const text = JSON.stringify(application)
      const before = told.get(key)
      if (before === text) return
      told.set(key, text)
      yield { type: before === undefined ? 'ADDED' : 'MODIFIED', application }
    }
    for await (const { type, resource } of store.watch(['HydratedBranch', 'Application'], { signal })) {
      if (resource.kind === 'HydratedBranch') {
        const { name: key } = resource.metadata
        if (type === 'deleted') branches.delete(key)
        else branches.set(key, readHydratedBranch(resource))
        for (const [id, application] of applications) {
          if (branchKeyOf(parseApplication(application)) === key) yield* tell(id, application)
        }
      } else if (isWanted(resource)) {
        const key = resourceKey(resource)
        if (type === 'deleted') {
          applications.delete(key)
          if (told.delete(key))
            yield { type: 'DELETED', application: toStruct(viewApplication(resource, branches)) }
        } else {
          applications.set(key, resource)
          yield* tell(key, resource)
        }
      }
    }
  }
}
