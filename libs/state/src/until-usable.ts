import { setTimeout as delay } from 'node:timers/promises'
import { errorMessage, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import type { KubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import { clockWarning } from './clock-warning.ts'
import type { ClusterTroubles } from './cluster-troubles.ts'
import { missingRights } from './missing-rights.ts'
import { serveWaiting } from './serve-waiting.ts'
import type { Permission } from './stored-objects.ts'

/** The conditions under which a service can work. */
interface ClusterNeeds {
  readonly cluster: KubernetesClient
  readonly store: KubernetesStore
  readonly rights: readonly Permission[]
  readonly kinds: readonly string[]
  readonly troubles: ClusterTroubles
}

const firstPauseMs = 25
const maxPauseMs = 1_000

/** The time that objects usually cannot be read at a start, which causes neither a warning nor an Event. */
const usualStartMs = 5_000

/**
 * Waits until the account has its rights and every kind is listed. Meanwhile the address of the service answers `/healthz`, and
 * `/readyz` with what is missing, which is logged and an Event too.
 * @throws the reason of the signal
 */
export async function untilUsable(
  base: ServiceBase,
  needs: ClusterNeeds,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  let lacks: readonly string[] = ['the objects of the cluster are not read yet']
  await using _ = await serveWaiting(base, { store: () => lacks.join('; ') })
  needs.store.follow(needs.kinds)
  const beganAt = performance.now()
  let isRecorded = false
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    signal.throwIfAborted()
    const found = await whatLacks(needs, signal)
    if (found.length === 0) return
    if (found.join() !== lacks.join()) {
      base.logger.debug({ lacks: found }, 'waiting for the cluster')
      isRecorded = false
    }
    lacks = found
    if (!isRecorded && performance.now() - beganAt > usualStartMs) {
      base.logger.warn({ lacks: found }, 'waiting for the cluster')
      needs.troubles.record('ClusterNotUsable', `${base.name} waits: ${found.join('; ')}`)
      isRecorded = true
    }
    await delay(pauseMs, undefined, { signal })
  }
}

async function whatLacks(
  { cluster, store, rights }: ClusterNeeds,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const troubles = () => store.troubles.filter(({ isListed }) => !isListed).map(({ error }) => error)
  try {
    const missing = await missingRights(cluster, rights, signal)
    const refused =
      missing.length > 0 ? [`this account may not ${missing.join('; ')}: bind a role that allows it`] : []
    // What is forbidden is in the line above already.
    const unlisted = troubles().filter(
      (error) => refused.length === 0 || !(error instanceof PermissionDeniedError),
    )
    return withClock(cluster, [...refused, ...unlisted.map(errorMessage)])
  } catch (error) {
    signal.throwIfAborted()
    return withClock(cluster, [`the Kubernetes API: ${errorMessage(error)}`])
  }
}

/** A wrong clock may be why. */
function withClock(cluster: KubernetesClient, lacks: readonly string[]): readonly string[] {
  const clock = lacks.length === 0 ? undefined : clockWarning(cluster)
  return clock === undefined ? lacks : [...lacks, clock]
}
