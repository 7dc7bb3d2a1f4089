import type { FastReports } from '@wadi/engines/guard/two-ways.ts'
import { fastVersions, slowTools } from '@wadi/engines/guard/fast-versions.ts'
import { toolsIdentity } from '@wadi/renderer-tools/current-tools.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** The number of programs left to the tool that are named to operators. */
const maxLeft = 20

/**
 * Counts renders by the way in which they were made, and warns of what is left to the tool.
 * @param left takes the newest of these warnings
 */
export function reportFastRenders(metrics: MetricsRegistry, logger: Logger, left: string[]): FastReports {
  const renders = metrics.counter(
    'fast_renders_total',
    'Renders that could be made without the tool: fast; equal (compared with the tool); tool (not trusted yet or any more); different, failed or unsupported (why the trust ended); refused (an error of both).',
    ['renderer', 'outcome'],
  )
  return {
    rendered: (renderer, outcome) => renders.inc({ renderer, outcome }),
    distrusted: (renderer, message) => {
      logger.warn({ renderer }, message)
      left.push(message)
      if (left.length > maxLeft) left.shift()
    },
  }
}

/** Says which tools render, which of them within the service, which programs of PATH do not and why, and what is slower than it could be. */
export function reportTools(logger: Logger, tools: Tools, isFast: boolean): void {
  const { helm, kustomize, passedOver = [] } = tools
  logger.info(
    { helm: helm.command[0], kustomize: kustomize.command[0] },
    `renderers: ${toolsIdentity(tools)}`,
  )
  for (const message of passedOver) logger.warn(message)
  if (!isFast) return
  logger.info(fastVersions(tools))
  for (const message of slowTools(tools)) logger.warn(message)
}
