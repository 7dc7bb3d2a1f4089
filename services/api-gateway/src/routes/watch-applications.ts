import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { WatchApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import {
  branchKeyOf,
  readableApplication,
  readBranches,
  viewApplication,
} from '../applications/application-view.ts'
import { toStruct } from '../applications/read-application.ts'
import { withPauses } from '../applications/with-pauses.ts'
import type { GatewayContext } from '../context.ts'

/** How long a changed policy may go unnoticed while nothing else changes, in milliseconds. */
const policyCheckMs = 1_000

/**
 * Streams the Applications that the caller may see, again whenever the object or the record of its branch changes. One
 * that becomes visible, because it moves or the policy changes, is delivered as ADDED, and one that is no longer visible as
 * DELETED in the state in which it was last delivered.
 */
export function watchApplications({ store, authorization, policy }: GatewayContext, draining: AbortSignal) {
  return async function* ({ namespace, name }: WatchApplicationsRequest, call: HandlerContext) {
    const end = new AbortController()
    const signal = AbortSignal.any([call.signal, draining, end.signal])
    const isWanted = ({ metadata }: Resource): boolean =>
      (namespace === '' || metadata.namespace === namespace) && (name === '' || metadata.name === name)
    const applications = new Map<string, Resource>()
    // Known beforehand, so that an Application is complete when it is first delivered, whichever kind the store delivers first.
    const branches = readBranches(
      (await store.list('HydratedBranch', { namespace: controlPlaneNamespace })).items,
    )
    const reported = new Map<string, string>()
    const forget = function* (key: string) {
      const before = reported.get(key)
      if (before === undefined) return
      reported.delete(key)
      yield { type: 'DELETED', application: JSON.parse(before) as JsonObject }
    }
    const report = function* (key: string, resource: Resource) {
      if (!authorization.allows(call, 'applications', 'get', applicationObject(resource))) {
        yield* forget(key)
        return
      }
      const application = toStruct(viewApplication(resource, branches))
      const text = JSON.stringify(application)
      const before = reported.get(key)
      if (before === text) return
      reported.set(key, text)
      yield { type: before === undefined ? 'ADDED' : 'MODIFIED', application }
    }
    let { enforcer } = policy
    try {
      const events = store.watch(['HydratedBranch', 'Application'], { signal })
      for await (const event of withPauses(events, policyCheckMs)) {
        if (policy.enforcer !== enforcer) {
          ;({ enforcer } = policy)
          for (const [key, resource] of applications) yield* report(key, resource)
        }
        if (event === undefined) continue
        const { type, resource } = event
        if (resource.kind === 'HydratedBranch') {
          const { name: key } = resource.metadata
          if (type === 'deleted') branches.delete(key)
          else branches.set(key, readHydratedBranch(resource))
          for (const [id, application] of applications) {
            const readable = readableApplication(application)
            if (readable && branchKeyOf(readable) === key) yield* report(id, application)
          }
        } else if (isWanted(resource)) {
          const key = resourceKey(resource)
          if (type === 'deleted') {
            applications.delete(key)
            yield* forget(key)
          } else {
            applications.set(key, resource)
            yield* report(key, resource)
          }
        }
      }
    } finally {
      end.abort()
    }
  }
}
