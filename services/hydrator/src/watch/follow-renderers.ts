import { setTimeout as delay } from 'node:timers/promises'
import type { RunContext } from '../run/run-context.ts'

const intervalMs = 5_000

/** Calls `changed` within seconds when repo-server has other renderers or plugins than before; no remote is contacted. */
export async function followRenderers(
  { repoServer }: Pick<RunContext, 'repoServer'>,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  let known = ''
  while (!signal.aborted) {
    try {
      const { renderers } = await repoServer.resolveRevisions({}, { signal, timeoutMs: intervalMs })
      if (known !== '' && renderers !== known) changed()
      known = renderers
    } catch {
      // A repo-server that is unreachable is reported by the polls and runs that need it.
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined)
  }
}
