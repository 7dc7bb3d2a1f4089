import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { WatchApplicationsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import { watchKinds } from '@wadi/resources/store/watch-kinds.ts'
import {
  branchKeyOf,
  readableApplication,
  readBranches,
  viewApplication,
} from '../applications/application-view.ts'
import { toStruct } from '../applications/read-application.ts'
import { withPauses } from '../applications/with-pauses.ts'
import type { GatewayContext } from '../context.ts'

/** Maximum delay of noticing a changed policy while nothing else changes, in milliseconds. */
const policyCheckMs = 1_000

/**
 * Streams the Applications that the caller may see, again whenever the object or the record of its branch changes. One
 * that becomes visible, because it moves or the policy changes, is delivered as ADDED, and one that is no longer visible as
 * DELETED in the state in which it was last delivered.
 */
export function watchApplications(context: GatewayContext, draining: AbortSignal) {
  const { store, policy } = context
  return async function* (request: WatchApplicationsRequest, call: HandlerContext) {
    const end = new AbortController()
    const signal = AbortSignal.any([call.signal, draining, end.signal])
    // Known beforehand, so that an Application is complete when it is first delivered, whichever kind the store delivers first.
    const branches = readBranches(
      (await store.list('HydratedBranch', { namespace: controlPlaneNamespace })).items,
    )
    const watched = new WatchedApplications(context, call, branches)
    let { enforcer } = policy
    try {
      const events = watchKinds(store, [{ kind: 'HydratedBranch' }, { kind: 'Application' }], signal)
      for await (const event of withPauses(events, policyCheckMs)) {
        if (policy.enforcer !== enforcer) {
          ;({ enforcer } = policy)
          yield* watched.reportAll()
        }
        if (event?.resource.kind === 'HydratedBranch') yield* watched.branchChanged(event)
        else if (event && isWanted(event.resource, request)) yield* watched.applicationChanged(event)
      }
    } finally {
      end.abort()
    }
  }
}

function isWanted({ metadata }: Resource, { namespace, name }: WatchApplicationsRequest): boolean {
  return (namespace === '' || metadata.namespace === namespace) && (name === '' || metadata.name === name)
}

/** The Applications of one watch, with the state in which each was reported last. */
class WatchedApplications {
  readonly #context: Pick<GatewayContext, 'authorization'>
  readonly #call: HandlerContext
  readonly #branches: ReturnType<typeof readBranches>
  readonly #applications = new Map<string, Resource>()
  readonly #reported = new Map<string, string>()

  constructor(
    context: Pick<GatewayContext, 'authorization'>,
    call: HandlerContext,
    branches: ReturnType<typeof readBranches>,
  ) {
    this.#context = context
    this.#call = call
    this.#branches = branches
  }

  /** Reports the changes for the caller, under the current policy. */
  *reportAll() {
    for (const [key, resource] of this.#applications) yield* this.#report(key, resource)
  }

  *branchChanged({ type, resource }: ResourceEvent) {
    const { name: key } = resource.metadata
    if (type === 'deleted') this.#branches.delete(key)
    else this.#branches.set(key, readHydratedBranch(resource))
    for (const [id, application] of this.#applications) {
      const readable = readableApplication(application)
      if (readable && branchKeyOf(readable) === key) yield* this.#report(id, application)
    }
  }

  *applicationChanged({ type, resource }: ResourceEvent) {
    const key = resourceKey(resource)
    if (type === 'deleted') {
      this.#applications.delete(key)
      yield* this.#forget(key)
    } else {
      this.#applications.set(key, resource)
      yield* this.#report(key, resource)
    }
  }

  *#report(key: string, resource: Resource) {
    const { authorization } = this.#context
    if (!authorization.allows(this.#call, 'applications', 'get', applicationObject(resource))) {
      yield* this.#forget(key)
      return
    }
    const application = toStruct(viewApplication(resource, this.#branches))
    const text = JSON.stringify(application)
    const before = this.#reported.get(key)
    if (before === text) return
    this.#reported.set(key, text)
    yield { type: before === undefined ? 'ADDED' : 'MODIFIED', application }
  }

  *#forget(key: string) {
    const before = this.#reported.get(key)
    if (before === undefined) return
    this.#reported.delete(key)
    yield { type: 'DELETED', application: JSON.parse(before) as JsonObject }
  }
}
