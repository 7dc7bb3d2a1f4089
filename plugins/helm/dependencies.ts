import { posix } from 'node:path'
import { type Dependency, readChart, vendoredCharts } from './chart.ts'
import { UserError } from './user-error.ts'
import { kindOf, pathWithin, type Repository } from './repository.ts'

/** Deepest chain of `file://` dependencies. */
const deepestChain = 20

/**
 * The Helm commands that put the charts of the same repository that a chart needs into its `charts/`, those of its
 * dependencies first. What is vendored stays as it is; nothing is downloaded.
 */
export function dependencyCommands(
  repository: Repository,
  chart: string,
  chain: readonly string[] = [],
): string[][] {
  if (chain.includes(chart) || chain.length > deepestChain) {
    throw new UserError(`file:// dependencies loop: ${[...chain, chart].join(' → ')}`)
  }
  const { name, dependencies } = readChart(repository, chart)
  const isVendored = vendoredCharts(repository, chart)
  const missing = dependencies.filter((dependency) => !isVendored(dependency.name))
  if (missing.length === 0) return []
  const directories = missing.map((dependency) => localChart(repository, chart, name, dependency))
  const nested = directories.flatMap((directory) =>
    dependencyCommands(repository, directory, [...chain, chart]),
  )
  if (missing.length === dependencies.length) {
    return [...nested, ['dependency', 'build', directoryArgument(chart), '--skip-refresh']]
  }
  // A build would drop the vendored charts and download them.
  const packages = [...new Set(directories)].map((directory) => {
    return ['package', directoryArgument(directory), '--destination', posix.join(chart, 'charts')]
  })
  return [...nested, ...packages]
}

/** A directory as an argument that is never taken for an option or the name of a chart elsewhere. */
export function directoryArgument(path: string): string {
  if (path === '') return '.'
  return path.startsWith('-') ? `./${path}` : path
}

function localChart(
  repository: Repository,
  chart: string,
  chartName: string,
  dependency: Dependency,
): string {
  const { name, version, repository: origin, place } = dependency
  if (!origin.startsWith('file://')) {
    throw new UserError(
      `${place}: chart ${chartName} needs ${name} ${version} from "${origin}", which is not under charts/ and would be downloaded, so the same commit could render differently; run "helm dependency update ${chart || '.'}" and commit its charts/ directory`,
    )
  }
  const what = `${place}: dependency ${name}`
  const given = origin.slice('file://'.length)
  if (given.startsWith('/'))
    throw new UserError(`${what} "${given}" is absolute; give it relative to the chart`)
  const directory = pathWithin(chart, given, what)
  if (directory === '' || chart === directory || chart.startsWith(`${directory}/`)) {
    throw new UserError(`${what} "${given}" holds the chart that needs it`)
  }
  if (kindOf(repository, directory, what) !== 'directory') {
    throw new UserError(
      `${place}: chart ${chartName} needs ${name} from "${directory}", which does not exist`,
    )
  }
  return directory
}
