import path from 'node:path'
import type { Measurement } from './measurement.ts'
import { measureApplicationSets } from './measures/application-sets.ts'
import { measureColdAndChanges } from './measures/cold-and-changes.ts'
import { measureCommitServer } from './measures/commit-paths.ts'
import { measureLarge } from './measures/large-repository.ts'
import { measureCompletion } from './measures/completion.ts'
import { measureExplain } from './measures/explain.ts'
import { measureParams } from './measures/params.ts'
import { measurePluginArchives } from './measures/plugin-archives.ts'
import { measurePluginCommits } from './measures/plugin-commits.ts'
import { measurePluginOverhead } from './measures/plugin-overhead.ts'
import { measurePolicyChecks } from './measures/policy-checks.ts'
import { measureTemplates } from './measures/templates.ts'
import { countRenderers } from './renderer-counter.ts'
import { makeWorkFolder } from './work-folder.ts'

const pluginNames = ['plugin-archives', 'plugin-run', 'plugin-commits']
const hydrationNames = ['cold', 'one-change', 'no-change', 'flat', 'memory', 'commit-server']
const standardNames = [
  ...hydrationNames,
  ...pluginNames,
  'policy',
  'params',
  'templates',
  'explain',
  'application-sets',
]
const knownNames = [...standardNames, 'ten-thousand']

/** What to measure. */
export interface BenchmarkOptions {
  /** Names of measures; none for all but `ten-thousand`. */
  readonly names: readonly string[]
  /** Applications in place of each measure's own number. */
  readonly applications: number | undefined
  /** Told what begins. */
  readonly progress: (text: string) => void
}

/**
 * Measures the mesh in one run, each measure in a folder of its own.
 * @throws Error for an unknown name or a number of applications below 100
 */
export async function runBenchmark(options: BenchmarkOptions): Promise<Measurement[]> {
  const { applications, progress } = options
  const names = new Set(options.names.length > 0 ? options.names : standardNames)
  for (const name of names) {
    if (!knownNames.includes(name))
      throw new Error(`${name} is no measure; there are ${knownNames.join(', ')}`)
  }
  if (applications !== undefined && !(Number.isInteger(applications) && applications >= 100)) {
    throw new Error('--apps needs a whole number from 100 up')
  }
  const wants = (...wanted: string[]): boolean => wanted.some((name) => names.has(name))
  await using folder = await makeWorkFolder()
  const renderers = await countRenderers(folder.directory)
  const directory = (name: string): string => path.join(folder.directory, name)
  const measurements: Measurement[] = []
  if (wants('policy')) {
    progress('policy')
    measurements.push(...(await measurePolicyChecks()))
  }
  if (wants('params')) {
    progress('params')
    measurements.push(...measureParams())
  }
  if (wants('templates')) {
    progress('templates')
    measurements.push(...(await measureTemplates()))
  }
  if (wants('explain')) {
    const size = applications ?? 1_000
    progress(`explain: ${size} applications`)
    measurements.push(...(await measureExplain(directory('explain'), size, renderers.tools)))
  }
  if (wants('application-sets')) {
    const size = applications ?? 1_000
    progress(`application-sets: ${size} applications`)
    measurements.push(...(await measureApplicationSets(directory('application-sets'), size)))
  }
  if (wants('plugin-run')) {
    progress('plugin-run')
    measurements.push(...(await measurePluginOverhead(directory('plugin-run'))))
  }
  if (wants('plugin-archives')) {
    progress('plugin-archives')
    measurements.push(...(await measurePluginArchives(directory('plugin-archives'))))
  }
  if (wants('plugin-commits')) {
    const size = applications ?? 200
    progress(`plugin-commits: ${size} applications`)
    measurements.push(...(await measurePluginCommits(directory('plugin-commits'), size, renderers.tools)))
  }
  if (wants('commit-server')) {
    progress('commit-server')
    measurements.push(...(await measureCommitServer(directory('commit-server'), applications ?? 1_000)))
  }
  if (wants('cold', 'one-change', 'no-change')) {
    const size = applications ?? 1_000
    progress(`cold, one-change, no-change: ${size} applications`)
    measurements.push(...(await measureColdAndChanges(directory('cold'), size, renderers, names)))
  }
  if (wants('flat', 'memory')) {
    const size = applications ?? 3_000
    progress(`flat, memory: ${size} applications`)
    measurements.push(...(await measureLarge(directory('large'), size, renderers, names)))
  }
  if (wants('ten-thousand')) {
    const size = applications ?? 10_000
    progress(`ten-thousand: ${size} applications`)
    measurements.push(...(await measureCompletion(directory('ten-thousand'), size, renderers)))
  }
  return measurements
}
