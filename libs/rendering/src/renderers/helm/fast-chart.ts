import type { ChartDirectory, ChartJob } from '@wadi/engines/helm/chart-job.ts'
import { chartWorkers, type ReadDirectories } from '@wadi/engines/helm/chart-workers.ts'
import { type HelmEngine, helmEngineOf } from '@wadi/gotemplate/engine-versions.ts'
import { UnsupportedFastWay } from '@wadi/engines/guard/two-ways.ts'
import type { RenderContext } from '../../run/render-run.ts'
import { copyInputs } from '../../run/sandbox/copy-inputs.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { isBelow } from '@wadi/file-trees/repository-path.ts'
import type { ChartCommands } from './chart-commands.ts'
import { type ChartDigests, chartDigests } from './chart-digests.ts'
import type { GivenChart } from './given-chart.ts'
import { setArguments } from './helm-arguments.ts'

/** Largest chart that is rendered in this process, in bytes and files. */
const chartLimits = { inputBytes: 16 * 1024 * 1024, inputFiles: 10_000 }

/** A chart that can be rendered without helm. */
export interface FastChart {
  /** The version of Helm that renders it. */
  readonly engine: HelmEngine
  readonly digests: ChartDigests
  /** Returns what renders it, see `TwoWays`; the result is what helm would print. */
  prepare(early: boolean): Promise<(signal: AbortSignal | undefined) => Promise<string>>
}

/**
 * Returns how a chart is rendered without helm; undefined where helm is another version than those whose packages render, or
 * has to build dependencies that are more than local charts.
 */
export async function fastChart(
  tree: FileTree,
  given: GivenChart,
  { valuesFiles }: ChartCommands,
  { source, limits }: RenderContext,
): Promise<FastChart | undefined> {
  const { path, chart, options, inputs, version } = given
  const dependencies = localDependencies(given)
  // Helm splits such a version into several.
  const hasOddVersion = options.apiVersions?.some((name) => /[,"\n]/.test(name)) === true
  const engine = helmEngineOf(version)
  if (engine === undefined || dependencies === undefined || hasOddVersion) return undefined
  const directories = [path, ...dependencies]
  const alone = new Set([...chart.valueFiles, ...chart.fileParameters.map((parameter) => parameter.path)])
  const links = inputs.filter(
    (input) =>
      !directories.includes(input) &&
      !(alone.has(input) && !directories.some((directory) => isBelow(input, directory))),
  )
  const digests = await chartDigests(tree, path, dependencies, links)
  const readText = async (file: string): Promise<string> => {
    const target = (await followPath(tree, file))?.target ?? file
    return (await tree.read(target, limits.inputBytes)).toString()
  }
  const job = async (): Promise<ChartJob> => ({
    chart: digests.chart,
    dependencies: digests.dependencies,
    values: [...(await Promise.all(chart.valueFiles.map(readText))), ...valuesFiles.map(({ text }) => text)],
    parameters: setArguments(chart),
    texts: Object.fromEntries(
      await Promise.all(
        chart.fileParameters.map(async ({ path: file }) => [file, await readText(file)] as const),
      ),
    ),
    release: options.releaseName || 'release-name',
    namespace: options.namespace || source.destinationNamespace || 'default',
    kubeVersion: options.kubeVersion ?? '',
    apiVersions: options.apiVersions ?? [],
    includeCrds: options.skipCrds !== true,
    skipTests: options.skipTests === true,
    skipSchemaValidation: options.skipSchemaValidation === true,
  })
  return {
    engine,
    digests,
    prepare: async (early) => {
      const all = [digests.chart, ...digests.dependencies]
      const read: ReadDirectories = async (wanted) => {
        const found = directories.map((directory, index) => ({ directory, digest: all[index] ?? '' }))
        const named = found.filter(({ digest }) => wanted.includes(digest))
        return await Promise.all(named.map((each) => readDirectory(tree, each)))
      }
      const loaded = early ? await read(all) : undefined
      const request = await job()
      return (signal) => renderText(engine, request, loaded ? async () => loaded : read, signal)
    },
  }
}

/** The charts that are put into a chart before it is rendered; undefined when only helm can do so. */
function localDependencies({ path, chart }: GivenChart): string[] | undefined {
  const [step, ...more] = chart.dependencySteps
  if (step === undefined) return []
  const isPlain = more.length === 0 && step.chart === path && step.plainPackages.length > 0
  return isPlain ? step.plainPackages.map(({ directory }) => directory) : undefined
}

async function readDirectory(
  tree: FileTree,
  { directory, digest }: { directory: string; digest: string },
): Promise<ChartDirectory> {
  const files: { name: string; data: string }[] = []
  await copyInputs(tree, [directory], chartLimits, {
    copied: new Set(),
    directory: () => undefined,
    file: (file, content) => {
      const name = directory === '' ? file : file.slice(directory.length + 1)
      files.push({ name, data: content.toString('base64') })
    },
  })
  return { digest, files }
}

async function renderText(
  engine: HelmEngine,
  job: ChartJob,
  read: ReadDirectories,
  signal: AbortSignal | undefined,
): Promise<string> {
  const output = await chartWorkers(engine).render(job, read, { signal })
  if ('unsupported' in output) throw new UnsupportedFastWay(output.unsupported)
  return output.manifests
}
