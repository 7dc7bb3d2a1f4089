import { create } from '@bufbuild/protobuf'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import {
  type RenderRecord,
  RenderRecordSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { type PlanOutput, plainOutput } from '../../plan/plan.ts'
import type { RenderContext } from '../../run/render-run.ts'
import { type ChartCommands, chartCommands } from './chart-commands.ts'
import { chartByTool, chartWays } from './chart-ways.ts'
import { defaultNameWarnings } from './default-release-name.ts'
import type { GivenChart } from './given-chart.ts'

/**
 * Renders a chart: by helm, or without it where that was found to give the same. What is recorded of both is equal.
 * @throws what helm says is wrong, and what a containment throws above a limit
 */
export async function renderChart(
  tree: FileTree,
  context: RenderContext,
  given: GivenChart,
): Promise<PlanOutput> {
  const { chart, path, options, valuesTexts } = given
  const commands = chartCommands(chart, path, options, context.source, valuesTexts)
  const ways = await chartWays(tree, context, given, commands)
  const { result, widened } =
    ways === undefined ? await chartByTool(tree, context, given, commands) : await ways.guard.render(ways)
  return { ...plainOutput, result, record: recordOf(given, commands, result), widened }
}

function recordOf(
  { path, options, version }: GivenChart,
  { commands }: ChartCommands,
  result: PlanOutput['result'],
): RenderRecord {
  // Texts stay unread: a package replaces its variables in them first.
  const texts = 'files' in result ? result.files.map(({ text }) => text) : result.manifests
  return create(RenderRecordSchema, {
    warnings: defaultNameWarnings(path, options.releaseName, texts),
    commands: [...commands],
    tools: [{ name: 'helm', version }],
  })
}
