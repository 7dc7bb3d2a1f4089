import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { GatewayContext } from '../context.ts'
import { requirePermittedByProject } from './permitted-by-project.ts'
import { storeObject, type StoreOptions, type StoreOutcome, validateSource } from './store-application.ts'

/**
 * Stores an Application that keeps the rules when the caller may and its project permits it, which is known before anything
 * is reached.
 * @throws the errors of `checkedApplication`, `permit`, the project's check, the validation and `storeObject`, in this order
 */
export async function writeApplication(
  context: Pick<GatewayContext, 'store' | 'repoServer' | 'urlPolicy' | 'summaries'>,
  wanted: Resource,
  options: StoreOptions & { validate: boolean },
  signal: AbortSignal,
): Promise<StoreOutcome> {
  const { namespace = controlPlaneNamespace, name } = wanted.metadata
  const application = checkedApplication(wanted, context.urlPolicy)
  options.permit(await context.store.get('Application', namespace, name))
  await requirePermittedByProject(context, application)
  if (options.validate) {
    await validateSource(context, wanted, signal)
    // Repositories may take minutes to answer, in which the project may have changed.
    await requirePermittedByProject(context, application)
  }
  return storeObject(context, wanted, options)
}
