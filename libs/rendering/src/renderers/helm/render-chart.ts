import { create } from '@bufbuild/protobuf'
import { chartWorkers } from '@wadi/gotemplate/chart-workers.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ReadManifests } from '../../run/manifests/manifest-job.ts'
import { type PlanOutput, plainOutput } from '../../plan/plan.ts'
import { readFiles } from '../../run/read-files.ts'
import type { RenderContext } from '../../run/render-run.ts'
import { runSandboxed } from '../../run/sandbox/sandboxed-run.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { chartCommands } from './chart-commands.ts'
import { defaultNameWarnings } from './default-release-name.ts'
import { fastChart } from './fast-chart.ts'
import type { GivenChart } from './given-chart.ts'
import { templateChart } from './render-helm.ts'

/** A chart that was rendered in one of two ways. */
interface RenderedChart {
  readonly result: ReadManifests
  readonly widened: boolean
}

/**
 * Renders a chart: by helm, or without it where that was found to give the same. What is recorded of both is equal.
 * @throws what helm says is wrong, and what a containment throws above a limit
 */
export async function renderChart(
  tree: FileTree,
  context: RenderContext,
  given: GivenChart,
): Promise<PlanOutput> {
  const { path, chart, options, valuesTexts, inputs, version } = given
  const commands = chartCommands(chart, path, options, context.source, valuesTexts)
  const servers = chart.dependencySteps.flatMap(({ repositories }) => repositories)
  const file = `output of helm template ${path || '.'}`
  const filesOf = (text: string) => [{ file, text, jsonnet: false, mayRepeatKeys: true }]
  const read = (text: string, signal: AbortSignal | undefined): Promise<ReadManifests> =>
    readFiles(filesOf(text), { ...context, signal })
  const byTool = () =>
    runSandboxed(tree, context, {
      path,
      inputs,
      network: servers.length > 0,
      servers,
      render: (run) => templateChart(run, chart, options, commands),
    })
  const guarded = async (): Promise<Pick<PlanOutput, 'result' | 'widened'>> => {
    const { fast, signal } = context
    const fastWay = fast && (await fastChart(tree, given, commands, context))
    if (fast === undefined || fastWay === undefined) {
      const { result: text, widened } = await byTool()
      return { result: { files: filesOf(text) }, widened }
    }
    return await fast.guard.render<RenderedChart>({
      renderer: 'helm',
      name: `chart "${path || '.'}"`,
      digest: `${version} ${fastWay.digests.program}`,
      isStrict: fast.isStrict,
      prepare: async (early) => {
        const render = await fastWay.prepare(early)
        return async (until) => ({ result: await read(await render(until), until), widened: false })
      },
      tool: async () => {
        const { result: text, widened } = await byTool()
        return { result: await read(text, signal), widened }
      },
      comparable: ({ result }) =>
        [...result.manifests, ...result.warnings, ...result.textWarnings].join('\n'),
      signal,
      engine: chartWorkers(fastWay.engine),
    })
  }
  const { result, widened } = await guarded()
  // Texts stay unread: a package replaces its variables in them first.
  const texts = 'files' in result ? result.files.map(({ text }) => text) : result.manifests
  const record = create(RenderRecordSchema, {
    warnings: defaultNameWarnings(path, options.releaseName, texts),
    commands: [...commands.commands],
    tools: [{ name: 'helm', version }],
  })
  return { ...plainOutput, result, record, widened }
}
