import { setInterval } from 'node:timers/promises'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import type { Warning } from '@wadi/rpc/health-registry.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import type { ClusterTroubles } from './cluster-troubles.ts'

const lookAgainMs = 60_000

/** The warning about old definitions; disposal ends the polling. */
export interface DefinitionWatch extends Disposable {
  readonly warning: Warning
}

/**
 * Finds out whether the API server drops fields that Wadi needs, which happens without a word otherwise. It looks again every minute until
 * none is dropped.
 */
export async function watchDefinition(
  { logger }: Pick<ServiceBase, 'logger'>,
  client: KubernetesClient,
  troubles: ClusterTroubles,
): Promise<DefinitionWatch> {
  const { oldDefinitions } = await import('@wadi/kubernetes/definitions/old-definitions.ts')
  const end = new AbortController()
  // Not every account may read schemas, and the work does not need them.
  const look = () => oldDefinitions(client, (reason) => logger.debug({ reason }, 'not known'), end.signal)
  let warnings = await look()
  const watch = async () => {
    for await (const _ of setInterval(lookAgainMs, undefined, { signal: end.signal, ref: false })) {
      warnings = await look()
      if (warnings.length === 0) return
    }
  }
  for (const reason of warnings) {
    logger.warn({ reason }, 'a definition of the cluster is too old')
    troubles.record('OldDefinitions', reason)
  }
  if (warnings.length > 0) watch().catch(() => undefined)
  return {
    warning: () => warnings.join('; ') || undefined,
    [Symbol.dispose]: () => end.abort(),
  }
}
