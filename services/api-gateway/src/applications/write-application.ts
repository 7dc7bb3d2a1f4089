import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { parseApplication } from '@wadi/resources/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { GatewayContext } from '../context.ts'
import { requirePermittedByProject } from './project-permission.ts'
import { storeObject, type StoreOptions, type StoreOutcome, validateSource } from './store-application.ts'

/**
 * Stores an Application when the caller may and its project permits it, which is known before anything is reached.
 * @throws what `permit`, the project's check, the validation and `storeObject` throw, in this order
 */
export async function writeApplication(
  context: Pick<GatewayContext, 'store' | 'repoServer'>,
  wanted: Resource,
  options: StoreOptions & { validate: boolean },
  signal: AbortSignal,
): Promise<StoreOutcome> {
  const { namespace = controlPlaneNamespace, name } = wanted.metadata
  options.permit(await context.store.get('Application', namespace, name))
  await requirePermittedByProject(context, parseApplication(wanted))
  if (options.validate) await validateSource(context, wanted, signal)
  return storeObject(context, wanted, options)
}
