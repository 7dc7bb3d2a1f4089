import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutate } from '@wadi/resources/resource-store.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Asks for a hydration as Argo CD's users do, with an annotation that the run removes: it outlives a lost queue. The
 * hydrator is told too, so that the run starts now.
 */
export async function requestHydration(
  context: GatewayContext,
  { metadata }: Resource,
  hard: boolean,
  signal: AbortSignal,
): Promise<Resource> {
  const namespace = metadata.namespace ?? controlPlaneNamespace
  const { name } = metadata
  const requested = await mutate(context.store, 'Application', namespace, name, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      annotations: {
        ...current.metadata.annotations,
        'argocd.argoproj.io/hydrate': hard ? 'hard' : 'normal',
      },
    },
  }))
  await context.hydrator.hydrateApplication({ namespace, name }, { signal })
  return requested
}
