import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { RepeatedLines } from '@wadi/rpc/repeated-lines.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import { serveWaiting } from './serve-waiting.ts'

/** Why there is only one replica, and what follows. */
export interface OnlyReplica {
  /** The advice for several replicas, such as `set WADI_REDIS_URL`. */
  readonly advice: string
  /** Called when another replica works after this one was frozen for long: this one must end. */
  readonly onLost: () => void
  /** The time to wait for a replica that is gone, in milliseconds; 15 s by default. */
  readonly durationMs?: number
}

/**
 * Returns once this is the only replica of its service in the installation, by the Lease `wadi-<service>`. Until then it answers `/healthz`,
 * and `/readyz` with who works and the advice. Disposal lets the next replica in.
 * @throws the reason of the signal
 */
export async function becomeOnlyReplica(
  base: ServiceBase,
  cluster: KubernetesClient,
  { advice, onLost, durationMs }: OnlyReplica,
  signal: AbortSignal = new AbortController().signal,
): Promise<AsyncDisposable> {
  const { acquireLease } = await import('@wadi/kubernetes/lease/lease.ts')
  const { logger, name } = base
  let reason = `it is not known yet whether another ${name} works`
  const lines = new RepeatedLines()
  const say = (text: string) => {
    reason = text
    if (!lines.isRepeated(text)) logger.warn({ reason: text }, 'waiting for another replica')
  }
  const failed = (error: unknown) =>
    say(`the Lease wadi-${name} cannot be read or written: ${errorMessage(error)}`)
  await using _ = await serveWaiting(base, { store: () => reason })
  // Awaited here, as what answers meanwhile ends with this function.
  return await acquireLease(
    cluster,
    {
      namespace: controlPlaneNamespace,
      name: `wadi-${name}`,
      holder: holderOf(base),
      ...(durationMs !== undefined && { durationMs }),
      onTaken: (holder) =>
        say(`${holder} works already, and a second ${name} would do the same work again; ${advice}`),
      onLost: (holder) => {
        logger.error({ holder }, `another ${name} works; this one ends`)
        onLost()
      },
      onError: failed,
    },
    signal,
  )
}

/** The same for a process that starts again in the same place, and for no two that run. */
function holderOf({ settings: { listen, dataDirectory } }: ServiceBase): string {
  return `${hostname()} ${listen.startsWith('unix:') ? resolve(dataDirectory) : listen}`
}
