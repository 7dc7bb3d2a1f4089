import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import valid from 'semver/functions/valid.js'
import type { RenderPolicy } from '../../source/source.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath, pathWithin } from '@wadi/file-trees/repository-path.ts'

/** The build option without which Kustomize runs no Helm. */
export const enableHelm = '--enable-helm'

/** The fields of a kustomization that list charts; the second is the older form. */
export const chartFields = ['helmCharts', 'helmChartInflationGenerator'] as const

/** The plugin of Kustomize that those fields stand for, as a kind of generators. */
export const chartGenerator = 'HelmChartInflationGenerator'

/** The default directory of charts in a kustomization. */
export const defaultChartHome = 'charts'

/** A chart that a kustomization has Helm render. */
export interface KustomizationChart {
  readonly name: string
  readonly version: string
  readonly repository: string
  /** The directory of charts, relative to the kustomization. */
  readonly home: string
  readonly valuesFiles: readonly unknown[]
}

/** Reads the chart of an entry of a kustomization, or of the configuration of the generator. */
export function chartOf(entry: Readonly<Record<string, unknown>>, globals?: unknown): KustomizationChart {
  const text = (...values: readonly unknown[]): string =>
    values.find((value): value is string => typeof value === 'string' && value !== '') ?? ''
  const global = isJsonObject(globals) ? globals['chartHome'] : undefined
  const more = entry['additionalValuesFiles']
  return {
    name: text(entry['name'], entry['chartName']),
    version: text(entry['version'], entry['chartVersion']),
    repository: text(entry['repo'], entry['chartRepoUrl']),
    home: text(global, entry['chartHome'], defaultChartHome),
    valuesFiles: [entry['valuesFile'], entry['values'], ...(Array.isArray(more) ? more : [])].filter(
      (file) => file !== '',
    ),
  }
}

/**
 * Returns whether a chart is downloaded, as its directory is not in the repository.
 * @throws InvalidInputError for one that is neither there nor may be downloaded
 */
export async function isDownloaded(
  tree: FileTree,
  directory: string,
  chart: KustomizationChart,
  policy: RenderPolicy,
  place: string,
): Promise<boolean> {
  const { name, version, repository } = chart
  const home = pathWithin(directory, chart.home, `${place}: chartHome`)
  // Kustomize keeps what it downloads by version, and older versions of it do not.
  const directories = [
    home,
    ...(version !== '' && repository !== '' ? [childPath(home, `${name}-${version}`)] : []),
  ]
  for (const candidate of directories) {
    const found = await followPath(tree, pathWithin(candidate, name, `${place}: name`))
    if (found?.entry.kind === 'directory') return false
  }
  const missing = `${place}: chart "${name}" is not in ${home}`
  if (repository === '') throw new InvalidInputError(`${missing}; commit its directory or correct chartHome`)
  if (policy.allowRemoteCharts && valid(version) !== null) return true
  throw new InvalidInputError(
    policy.allowRemoteCharts
      ? `${missing}, and a chart is downloaded only when its version is exact; set version or commit its directory`
      : `${missing} and would be downloaded, so the same commit could render differently; commit its directory`,
  )
}
