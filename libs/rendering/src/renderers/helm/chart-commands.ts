import type { RenderSource } from '../../source/source.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { shellCommand, shellHeredoc } from '@wadi/programs/shell-quote.ts'
import { chartArgument, helmArguments, inlineValues } from './helm-arguments.ts'
import type { ChartRender, DependencyStep } from './helm-inputs.ts'
import type { HelmOptions } from './helm-option-schema.ts'

/** Outside the repository, as a file in it could become part of a chart. */
const inlineValuesFile = '../inline-values.yaml'

/** The commands by which a person would render a chart: the same for every way to render it. */
export interface ChartCommands {
  /** Values files that are not in the repository; a later one overrides those before. */
  readonly valuesFiles: readonly { readonly file: string; readonly text: string }[]
  /** The arguments of helm, from `template` on. */
  readonly args: readonly string[]
  /** Everything as commands of a shell at the root of the repository. */
  readonly commands: readonly string[]
}

/**
 * The commands of a chart.
 * @param valuesTexts values files that are not in the repository; they override those of the plan, and the values that
 *   `options` hold override them
 * @throws InvalidInputError for options that helm would not take
 */
export function chartCommands(
  plan: ChartRender,
  path: string,
  options: HelmOptions,
  { destinationNamespace }: RenderSource,
  valuesTexts: readonly string[],
): ChartCommands {
  const valuesFiles = valuesTexts.map((text, index) => ({ file: `../given-values-${index}.yaml`, text }))
  const inline = inlineValues(options)
  if (inline !== undefined) valuesFiles.push({ file: inlineValuesFile, text: inline })
  const names = valuesFiles.map(({ file }) => file)
  const args = helmArguments(plan, path, options, destinationNamespace, names)
  const prepared = plan.dependencySteps.flatMap((step) => dependencyArguments(step, options))
  return {
    valuesFiles,
    args,
    commands: [
      ...prepared.map((step) => shellCommand(['helm', ...step])),
      ...valuesFiles.map(({ file, text }) => shellHeredoc(file, text)),
      shellCommand(['helm', ...args]),
    ],
  }
}

/** The arguments of the runs of helm that put the dependencies of a chart into it. */
export function dependencyArguments(step: DependencyStep, options: HelmOptions): string[][] {
  const runs: string[][] = []
  for (const [index, repository] of step.repositories.entries()) {
    if (repository.startsWith('oci://') || repository.startsWith('@') || repository.startsWith('alias:'))
      continue
    const credentials = options.passCredentials === true ? ['--pass-credentials'] : []
    runs.push(['repo', 'add', `dependency-${index}`, repository, ...credentials])
  }
  const destination = childPath(step.chart, 'charts')
  for (const directory of step.packages)
    runs.push(['package', chartArgument(directory), '--destination', destination])
  if (step.packages.length === 0)
    runs.push(['dependency', 'build', chartArgument(step.chart), '--skip-refresh'])
  return runs
}
