import type { FastGuard } from '@wadi/engines/guard/fast-guard.ts'
import type { TwoWays } from '@wadi/engines/guard/two-ways.ts'
import { chartWorkers } from '@wadi/engines/helm/chart-workers.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { ManifestText, ReadManifests } from '../../run/manifests/manifest-job.ts'
import { readFiles } from '../../run/read-files.ts'
import type { RenderContext } from '../../run/render-run.ts'
import { runSandboxed } from '../../run/sandbox/sandboxed-run.ts'
import type { ChartCommands } from './chart-commands.ts'
import { fastChart } from './fast-chart.ts'
import type { GivenChart } from './given-chart.ts'
import { templateChart } from './render-helm.ts'

/** A rendered chart; `widened` if helm wanted a file beyond the inputs. */
interface RenderedChart<Result> {
  readonly result: Result
  readonly widened: boolean
}

/** Returns what helm prints, unread. */
export async function chartByTool(
  tree: FileTree,
  context: RenderContext,
  { path, chart, options, inputs }: GivenChart,
  commands: ChartCommands,
): Promise<RenderedChart<{ files: ManifestText[] }>> {
  const servers = chart.dependencySteps.flatMap(({ repositories }) => repositories)
  const { result, widened } = await runSandboxed(tree, context, {
    path,
    inputs,
    network: servers.length > 0,
    servers,
    render: (run) => templateChart(run, chart, options, commands),
  })
  return { result: { files: filesOf(path, result) }, widened }
}

/** Returns how an engine and helm render a chart, for the guard to choose; undefined where helm alone can render it. */
export async function chartWays(
  tree: FileTree,
  context: RenderContext,
  given: GivenChart,
  commands: ChartCommands,
): Promise<(TwoWays<RenderedChart<ReadManifests>> & { readonly guard: FastGuard }) | undefined> {
  const { fast, signal } = context
  if (fast === undefined) return undefined
  const engine = await fastChart(tree, given, commands, context)
  if (engine === undefined) {
    fast.guard.leave('helm')
    return undefined
  }
  const { path, version } = given
  return {
    guard: fast.guard,
    renderer: 'helm',
    name: `chart "${path || '.'}"`,
    digest: `${version} ${engine.digests.program}`,
    isStrict: fast.isStrict,
    prepare: async (early) => {
      const render = await engine.prepare(early)
      return async (until) => {
        const files = filesOf(path, await render(until))
        return { result: await readFiles(files, { ...context, signal: until }), widened: false }
      }
    },
    tool: async () => {
      const { result, widened } = await chartByTool(tree, context, given, commands)
      return { result: await readFiles(result.files, context), widened }
    },
    comparable: ({ result }) => [...result.manifests, ...result.warnings, ...result.textWarnings].join('\n'),
    signal,
    engine: chartWorkers(engine.engine),
  }
}

function filesOf(path: string, text: string): ManifestText[] {
  const file = `output of helm template ${path || '.'}`
  return [{ file, text, jsonnet: false, mayRepeatKeys: true, chart: path }]
}
