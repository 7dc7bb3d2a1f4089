import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { checkoutRemote } from '../diff/checkout-remote.ts'
import { openImport } from '../import/import-context.ts'
import { directoryOf, insidePath } from '../import/path-places.ts'
import { openLocalPlugins } from '../plugins/local-plugins.ts'
import type { PluginFlags } from '../plugins/plugin-flags.ts'
import type { LocalPlugins } from '../render/local-commands.ts'
import { nearestRepository } from '../render/nearest-repository.ts'
import { printShadow } from './print-shadow.ts'
import { shadowApplication, type ShadowedApplication } from './shadow-application.ts'
import { ShadowHistory } from './shadow-history.ts'
import { shadowedApplications } from './shadowed-applications.ts'

/** The exit code where something could not be compared. */
const failedExitCode = 2

/** The flags of `shadow`. */
export interface ShadowOptions extends PluginFlags {
  app?: string[]
  selector: string
  repo?: string
  kubeconfig?: string
  watch?: boolean
  /** Seconds. */
  interval: number
  metrics?: string
  output: 'text' | 'json' | 'yaml'
}

/**
 * Compares once, or again and again until the user ends it, prints what is new and returns the exit code by the last comparison: 0 if no object
 * differs, 1 if one does, 2 if an Application could not be compared.
 */
export async function runShadow(
  session: CommandSession,
  paths: readonly string[],
  options: ShadowOptions,
): Promise<number> {
  if (options.metrics !== undefined && !options.watch) throw new CommandFailure('--metrics needs --watch')
  await using plugins = await openLocalPlugins(options, session)
  const compare = () => compareAll(session, paths, options, plugins)
  if (options.watch) return await watch(session, options, compare)
  const results = await compare()
  printShadow(results, options.output)
  return exitCodeOf(results)
}

async function watch(
  { signal, warn, inform }: CommandSession,
  { interval, metrics: listen, output }: ShadowOptions,
  compare: () => Promise<ShadowedApplication[]>,
): Promise<number> {
  const { openShadowMetrics } = await import('./shadow-metrics.ts')
  await using metrics = listen === undefined ? undefined : await openShadowMetrics(listen)
  if (metrics) inform(`metrics are at ${metrics.address}/metrics`)
  const history = new ShadowHistory()
  let exitCode = 0
  while (!signal.aborted) {
    try {
      const results = await compare()
      const fresh = history.add(results)
      metrics?.show(results, fresh)
      if (fresh.length > 0) printShadow(history.rows(results), output, fresh)
      exitCode = exitCodeOf(results)
    } catch (error) {
      // What is wrong now may be right at the next time.
      if (!(error instanceof DomainError || error instanceof CommandFailure)) throw error
      if (signal.aborted) break
      exitCode = failedExitCode
      warn(error.message)
    }
    await delay(interval * 1000, undefined, { signal }).catch(() => undefined)
  }
  return exitCode
}

async function compareAll(
  session: CommandSession,
  paths: readonly string[],
  { app, selector, repo, kubeconfig }: ShadowOptions,
  plugins: LocalPlugins,
): Promise<ShadowedApplication[]> {
  const { signal, warn } = session
  const places = paths.length === 0 ? ['.'] : paths
  const directory = await directoryOf(places[0] ?? '.')
  const root = nearestRepository(directory)
  const repoUrl = redactUrl(repo ?? (await checkoutRemote(directory).catch(() => '')))
  await using context = await openImport(root, repoUrl, plugins, session)
  const place =
    kubeconfig === undefined ? { inside: places.map((path) => insidePath(root, path)) } : { kubeconfig }
  const selection = { names: app ?? [], matches: parseLabelSelector(selector) }
  const { applications, warnings } = await shadowedApplications(context, place, selection)
  for (const warning of warnings) warn(warning)
  if (applications.length === 0) {
    throw new CommandFailure(
      `${places.join(' and ')} has no Application with sourceHydrator that is asked for`,
    )
  }
  const parts = { ...context, signal }
  return await mapWithLimit(applications, availableParallelism(), (placed) =>
    shadowApplication(placed, parts),
  )
}

function exitCodeOf(results: readonly ShadowedApplication[]): number {
  if (results.some(({ outcome }) => outcome === 'failed')) return failedExitCode
  return results.every(({ outcome }) => outcome === 'identical' || outcome === 'equal') ? 0 : 1
}
