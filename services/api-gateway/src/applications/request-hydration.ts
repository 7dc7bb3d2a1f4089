import { randomInt } from 'node:crypto'
import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { hydrateAnnotation, timestampOf } from '@wadi/resources/application/hydration-request.ts'
import { isBeingDeleted, type Resource } from '@wadi/resources/resource.ts'
import { mutatePart } from '@wadi/resources/store/resource-store.ts'
import type { GatewayContext } from '../context.ts'
import { requirePermittedByProject } from './permitted-by-project.ts'
import { permittedApplication } from './read-application.ts'

const timeAnnotation = timestampOf(hydrateAnnotation)

/**
 * Asks for a hydration as Argo CD's users do, with an annotation that the run removes: it outlives a lost queue. The
 * hydrator is notified too, so that the run starts now. It needs the right to `sync`, for it makes a commit to the branch
 * that is deployed from, which is what a sync does where nothing is hydrated; in Argo CD `get` is enough for a refresh
 * that only looks. `leftAlone` says why the hydrator leaves the branch to Argo CD's own, for which the annotation is too; empty when it does not.
 * @throws NotFoundError and PermissionDeniedError, also when the project does not permit the Application;
 *   FailedPreconditionError for one that is being deleted
 */
export async function requestHydration(
  context: GatewayContext,
  call: HandlerContext,
  resource: Resource,
  hard: boolean,
): Promise<{ resource: Resource; leftAlone: string }> {
  const { namespace = controlPlaneNamespace, name } = resource.metadata
  permittedApplication(context, call, name, resource, 'sync')
  const application = parseApplication(resource)
  await requirePermittedByProject(context, application)
  const request = newRequest(hard)
  let before: string | undefined
  const requested = await mutatePart(context.store, 'Application', namespace, name, (current) => {
    permittedApplication(context, call, name, current, 'sync')
    if (isBeingDeleted(current)) {
      throw new FailedPreconditionError(`application ${name} is being deleted and is not hydrated any more`)
    }
    const stored = current.metadata.annotations?.[timeAnnotation] ?? ''
    const isEqual = current.metadata.annotations?.[hydrateAnnotation] === request[hydrateAnnotation]
    // Somebody else has asked for the same since this call came: one run serves both.
    if (before !== undefined && isEqual && stored !== before) return undefined
    before ??= stored
    return { metadata: { annotations: request } }
  })
  try {
    const asked = { namespace, name }
    const { leftAlone } = await context.hydrator.hydrateApplication(asked, { signal: call.signal })
    return { resource: requested, leftAlone }
  } catch (error) {
    // One that was stored a moment ago the hydrator hears of together with the annotation.
    if (!(error instanceof NotFoundError) || !application.hydrated) throw error
  }
  return { resource: requested, leftAlone: '' }
}

/** Returns the annotations of a request, with a time by which two of a kind differ, as Argo CD 3.6 writes it. */
function newRequest(hard: boolean) {
  const nanoseconds = String(randomInt(1_000_000)).padStart(6, '0')
  return {
    [hydrateAnnotation]: hard ? 'hard' : 'normal',
    [timeAnnotation]: new Date().toISOString().replace('Z', `${nanoseconds}Z`),
  }
}
