import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartArgument, helmArguments, inlineValues } from './helm-arguments.ts'
import { checkChartSchemas } from './check-chart-schemas.ts'
import type { DependencyStep, ChartRender, PlainPackage } from './helm-inputs.ts'
import type { PackagedCharts } from './packaged-charts.ts'
import { childPath } from '../tree/repository-path.ts'
import type { RenderRun, ToolOutput } from '../render-run.ts'
import { runRenderer } from '../sandbox/run-renderer.ts'
import { shellCommand, shellHeredoc } from '../sandbox/shell-quote.ts'
import type { HelmOptions } from './helm-option-schema.ts'

/** Outside the repository, as a file in it could become part of a chart. */
const inlineValuesFile = '../inline-values.yaml'

const remedy = 'Correct the chart, its values or the options of the source.'

/**
 * Runs `helm template`.
 * @param valuesTexts values files that are not in the repository; they win over those of the plan, and the values that
 *   `options` hold over them
 */
export async function templateChart(
  run: RenderRun,
  plan: ChartRender,
  options: HelmOptions,
  valuesTexts: readonly string[],
): Promise<ToolOutput> {
  const { tools, source } = run.context
  const commands: string[] = []
  for (const step of plan.dependencySteps) commands.push(...(await runDependencyStep(run, step, options)))
  const given = valuesTexts.map((text, index): [string, string] => [`../given-values-${index}.yaml`, text])
  const inline = inlineValues(options)
  if (inline !== undefined) given.push([inlineValuesFile, inline])
  for (const [file, text] of given) {
    run.sandbox.write(file, text)
    commands.push(shellHeredoc(file, text))
  }
  const valuesFiles = given.map(([file]) => file)
  const args = helmArguments(plan, run.path, options, source.destinationNamespace, valuesFiles)
  const command = shellCommand(['helm', ...args])
  if (options.skipSchemaValidation !== true)
    await checkChartSchemas(
      run,
      plan.dependencySteps.map(({ chart }) => chart),
    )
  const prefix = new RegExp(`(?<![\\w./-])${RegExp.escape(plan.chartName)}/(?=templates/|charts/|crds/)`, 'g')
  const output = await runRenderer(run, {
    argv: [...tools.helm.command, ...args],
    shown: command,
    remedy,
    toRepositoryPaths: (message) => message.replaceAll(prefix, run.path === '' ? '' : `${run.path}/`),
  })
  return { file: `output of helm template ${run.path || '.'}`, output, commands: [...commands, command] }
}

async function runDependencyStep(
  run: RenderRun,
  step: DependencyStep,
  options: HelmOptions,
): Promise<string[]> {
  const commands: string[][] = []
  for (const [index, repository] of step.repositories.entries()) {
    if (repository.startsWith('oci://') || repository.startsWith('@') || repository.startsWith('alias:'))
      continue
    const credentials = options.passCredentials === true ? ['--pass-credentials'] : []
    commands.push(['repo', 'add', `dependency-${index}`, repository, ...credentials])
  }
  if (step.packages.length > 0) {
    for (const directory of step.packages) {
      const destination = childPath(step.chart, 'charts')
      commands.push(['package', chartArgument(directory), '--destination', destination])
    }
  } else commands.push(['dependency', 'build', chartArgument(step.chart), '--skip-refresh'])
  const { packagedCharts } = run.context
  if (packagedCharts !== undefined && step.plainPackages.length > 0) {
    for (const plain of step.plainPackages) await placePackage(run, step.chart, plain, packagedCharts)
  } else for (const args of commands) await runHelm(run, args)
  return commands.map((args) => shellCommand(['helm', ...args]))
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
  await runRenderer(run, { argv: [...run.context.tools.helm.command, ...args], shown, remedy })
}
