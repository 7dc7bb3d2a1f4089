import type { HandlerContext } from '@connectrpc/connect'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { GenerateApplicationsRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import { accessOf } from '../access/end-user.ts'
import { maySet, requireAnyApplication } from '../access/set-access.ts'
import { generateChecked } from '../changes/generated-set.ts'
import { ownedApplications } from '../changes/owned-applications.ts'
import { wantedSet, withIdentityOf } from '../changes/wanted-set.ts'
import type { ParameterSet } from '@wadi/application-sets/params/parameter-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { elementPrinter } from './shown-element.ts'

/** Returns the Applications that an ApplicationSet generates, to those who may store it. */
export function generateApplications(context: AppsetServiceContext) {
  return async ({ applicationSet }: GenerateApplicationsRequest, call: HandlerContext) => {
    const access = accessOf(context, call)
    const resource = context.store.storable(wantedSet(context, applicationSet).resource)
    requireAnyApplication(access, 'create', resource)
    const { namespace = controlPlaneNamespace, name } = resource.metadata
    const known = await context.store.get('ApplicationSet', namespace, name)
    const isVisible = known && maySet(access, 'get', known, await ownedApplications(context.store, known))
    // One that is hidden from the user is no other than one that does not exist.
    const stored = isVisible ? known : undefined
    const elements = new Map<string, ParameterSet>()
    const { generated } = await generateChecked(context, {
      access,
      stored,
      action: 'create',
      isRefresh: false,
      signal: call.signal,
      candidate: stored ? withIdentityOf(resource, stored) : resource,
      dryRun: true,
      // Nothing is stored, so nothing waits for a confirmation.
      confirmDeletions: false,
      onElement: ({ metadata }, element) => elements.set(metadata.name, element),
    })
    return {
      applications: generated.map((application) => shownObject(application)),
      elements: generated.flatMap(({ metadata }) => elements.get(metadata.name) ?? []).map(elementPrinter()),
    }
  }
}
