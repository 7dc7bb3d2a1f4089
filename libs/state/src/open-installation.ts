import { setTimeout as delay } from 'node:timers/promises'
import { type InstallationId, installationId } from '@wadi/hydration/installation-id.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { RepeatedLines } from '@wadi/rpc/repeated-lines.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import { serveWaiting } from './serve-waiting.ts'

const lookAgainMs = 500

/**
 * Returns the id of the installation. Where it is missing and another service makes it, the service answers `/healthz` until then,
 * and `/readyz` with what it waits for.
 * @throws the reason of the signal
 */
export async function openInstallation(
  base: ServiceBase,
  store: ResourceStore,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  let found: InstallationId = await installationId(store)
  if ('id' in found) return found.id
  let reason = found.missing
  const lines = new RepeatedLines()
  await using _ = await serveWaiting(base, { installation: () => reason })
  for (;;) {
    if (!lines.isRepeated(reason)) base.logger.warn({ reason }, 'waiting for the id of the installation')
    await delay(lookAgainMs, undefined, { signal })
    found = await installationId(store)
    if ('id' in found) return found.id
    reason = found.missing
  }
}
