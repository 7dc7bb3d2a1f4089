import type { FastReports } from '@wadi/engines/guard/two-ways.ts'
import { fastVersions, renderingVersions, slowTools } from '@wadi/engines/guard/fast-versions.ts'
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
    'Renders of charts and kustomizations where engines are on: fast (by the engine); equal (compared with the tool); tool (not trusted yet or any more); different, failed or unsupported (why the trust ended); refused (an error of both); missing (by the tool, as no engine is of its version or can take what it is given).',
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

/** Counts the installed versions of renderers by what renders as them. */
export function reportEngines(metrics: MetricsRegistry, current: { known: Tools }, isFast: boolean): void {
  metrics.gauge(
    'render_engines',
    'Installed versions of renderers, each 1, by what renders: engine (within the service, where it was found equal to the tool), missing (the tool, as no engine is made of this version), off (the tool, by WADI_RENDERERS=tools).',
    ['renderer', 'version', 'state'],
    async (gauge) => {
      gauge.reset()
      for (const { name: renderer, version, hasEngine } of renderingVersions(current.known)) {
        const state = !hasEngine ? 'missing' : isFast ? 'engine' : 'off'
        gauge.set({ renderer, version, state }, 1)
      }
    },
  )
}

/**
 * Says which tools render, which of them within the service, which programs of PATH do not and why, and what is slower than it could be.
 * @param left takes that the engines are turned off
 */
export function reportTools(logger: Logger, tools: Tools, isFast: boolean, left: string[]): void {
  const { helm, kustomize, passedOver = [] } = tools
  logger.info(
    { helm: helm.command[0], kustomize: kustomize.command[0] },
    `renderers: ${toolsIdentity(tools)}`,
  )
  for (const message of passedOver) logger.warn(message)
  if (!isFast) {
    const off = 'every render runs its tool and takes longer, as WADI_RENDERERS=tools turns the engines off'
    logger.info(off)
    left.push(off)
    return
  }
  logger.info(fastVersions(tools))
  for (const message of slowTools(tools)) logger.warn(message)
}
