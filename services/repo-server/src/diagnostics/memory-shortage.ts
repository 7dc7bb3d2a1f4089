import { availableParallelism } from 'node:os'
import { containerMemory, serviceMemoryBytes } from '@wadi/containment/container-memory.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'

const mebibyte = 2 ** 20

/** The settings that decide how much memory renders may take. */
interface RenderMemory {
  readonly renderMemory: number
  readonly parallelism: number
}

/** Logs that the memory limit of the container is too low, and returns that; undefined if it is not. */
export function warnOfMemory(
  { logger }: Pick<ServiceBase, 'logger'>,
  settings: RenderMemory,
): Finding | undefined {
  const found = memoryShortage(settings)
  if (found) logger.warn({ remedy: found.remedy }, found.message)
  return found
}

/**
 * Finds out whether renders that run at a time may take more memory than the container has, so that the kernel may end the service with them.
 * Undefined if they may not, or nothing but the machine limits them.
 * @internal
 */
export function memoryShortage(
  { renderMemory, parallelism: set }: RenderMemory,
  limitBytes = containerMemory(),
): Finding | undefined {
  const parallelism = set || availableParallelism()
  const neededBytes = parallelism * renderMemory + serviceMemoryBytes
  if (limitBytes === undefined || limitBytes >= neededBytes) return undefined
  const size = (bytes: number) => `${Math.ceil(bytes / mebibyte)}Mi`
  const rest = Math.floor((limitBytes - serviceMemoryBytes) / parallelism / mebibyte)
  const less = rest > 0 ? `, or WADI_RENDER_MEMORY to ${rest}MiB` : ''
  return {
    severity: 'warning',
    area: 'memory',
    message:
      `the memory limit of the container, ${size(limitBytes)}, is too low: ${parallelism} renders at a time (WADI_RENDER_PARALLELISM) may take ` +
      `${size(renderMemory)} each (WADI_RENDER_MEMORY) and the service ${size(serviceMemoryBytes)}, so the kernel may end the service while it renders`,
    remedy: `set the limit to ${size(neededBytes)} at least (repoServer.resources.limits.memory of the chart, small.resources.limits.memory in the shape small)${less}`,
  }
}
