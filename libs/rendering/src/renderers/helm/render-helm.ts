import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChartCommands, dependencyArguments } from './chart-commands.ts'
import { chartArgument } from './helm-arguments.ts'
import { checkChartSchemas } from './check-chart-schemas.ts'
import type { DependencyStep, ChartRender, PlainPackage } from './helm-inputs.ts'
import type { PackagedCharts } from '../../run/cache/packaged-charts.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { RenderRun } from '../../run/render-run.ts'
import { runRenderer } from '../../run/sandbox/run-renderer.ts'
import { shellCommand } from '@wadi/programs/shell-quote.ts'
import type { HelmOptions } from './helm-option-schema.ts'

const remedy = 'Correct the chart, its values or the options of the source.'

/** Returns what `helm template` prints. */
export async function templateChart(
  run: RenderRun,
  plan: ChartRender,
  options: HelmOptions,
  given: ChartCommands,
): Promise<string> {
  for (const step of plan.dependencySteps) await runDependencyStep(run, step, options)
  for (const { file, text } of given.valuesFiles) run.sandbox.write(file, text)
  if (options.skipSchemaValidation !== true)
    await checkChartSchemas(
      run,
      plan.dependencySteps.map(({ chart }) => chart),
    )
  const prefix = new RegExp(`(?<![\\w./-])${RegExp.escape(plan.chartName)}/(?=templates/|charts/|crds/)`, 'g')
  return await runRenderer(run, {
    tools: [run.context.tools.helm],
    argv: [...run.context.tools.helm.command, ...given.args],
    shown: shellCommand(['helm', ...given.args]),
    remedy,
    toRepositoryPaths: (message) => message.replaceAll(prefix, run.path === '' ? '' : `${run.path}/`),
  })
}

async function runDependencyStep(run: RenderRun, step: DependencyStep, options: HelmOptions): Promise<void> {
  const { packagedCharts } = run.context
  if (packagedCharts !== undefined && step.plainPackages.length > 0) {
    for (const plain of step.plainPackages) await placePackage(run, step.chart, plain, packagedCharts)
  } else for (const args of dependencyArguments(step, options)) await runHelm(run, args)
}

/** Puts into a chart what a build of its dependencies would. */
async function placePackage(
  run: RenderRun,
  chart: string,
  { directory, archive }: PlainPackage,
  packagedCharts: PackagedCharts,
): Promise<void> {
  const { repository } = run.sandbox
  const destination = childPath(chart, 'charts')
  const file = childPath(destination, archive)
  const { version } = run.context.tools.helm
  const packed = await packagedCharts.read(version, join(repository, directory), async () => {
    await runHelm(run, ['package', chartArgument(directory), '--destination', destination])
    return readFileSync(join(repository, file))
  })
  run.sandbox.write(file, packed)
}

async function runHelm(run: RenderRun, args: readonly string[]): Promise<void> {
  const shown = shellCommand(['helm', ...args])
  const { helm } = run.context.tools
  await runRenderer(run, { tools: [helm], argv: [...helm.command, ...args], shown, remedy })
}
