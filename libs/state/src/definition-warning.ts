import { setInterval } from 'node:timers/promises'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import type { Warning } from '@wadi/rpc/health-registry.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import type { ClusterTroubles } from './cluster-troubles.ts'

const lookAgainMs = 60_000

const tooOld =
  "the cluster's definition of Application does not know spec.sourceHydrator, so the API server drops it and nothing can be hydrated; " +
  "upgrade Argo CD's definitions to 2.14 or newer, or apply deploy/crds/applications.yaml"

/** The warning about an old definition; disposal ends the polling. */
export interface DefinitionWatch extends Disposable {
  readonly warning: Warning
}

/**
 * Finds out whether the API server drops `spec.sourceHydrator` of Applications, as with the definitions of an older Argo CD, which happens without
 * a word otherwise. It looks again every minute until it does not.
 */
export async function watchDefinition(
  { logger }: Pick<ServiceBase, 'logger'>,
  client: KubernetesClient,
  troubles: ClusterTroubles,
): Promise<DefinitionWatch> {
  const end = new AbortController()
  const isTooOld = async () => {
    try {
      return await dropsSourceHydrator(client, end.signal)
    } catch (error) {
      // Not every account may read schemas, and the work does not need them.
      logger.debug({ reason: errorMessage(error) }, 'the definition of Application cannot be read')
      return false
    }
  }
  let isWarned = await isTooOld()
  const watch = async () => {
    for await (const _ of setInterval(lookAgainMs, undefined, { signal: end.signal, ref: false })) {
      isWarned = await isTooOld()
      if (!isWarned) return
    }
  }
  if (isWarned) {
    logger.warn({ reason: tooOld }, 'nothing can be hydrated')
    troubles.record('OldDefinitions', tooOld)
    watch().catch(() => undefined)
  }
  return {
    warning: () => (isWarned ? tooOld : undefined),
    [Symbol.dispose]: () => end.abort(),
  }
}

async function dropsSourceHydrator(client: KubernetesClient, signal: AbortSignal): Promise<boolean> {
  const { storedKind } = await import('@wadi/kubernetes/store/stored-kinds.ts')
  const schema = await client.schemaOf(storedKind('Application').resource, signal)
  const spec = child(child(schema, 'properties'), 'spec')
  const fields = child(spec, 'properties')
  return (
    spec !== undefined &&
    fields !== undefined &&
    spec['x-kubernetes-preserve-unknown-fields'] !== true &&
    fields['sourceHydrator'] === undefined
  )
}

function child(
  value: Record<string, unknown> | undefined,
  field: string,
): Record<string, unknown> | undefined {
  const found = value?.[field]
  return isJsonObject(found) ? found : undefined
}
