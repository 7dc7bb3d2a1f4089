import path from 'node:path'
import type { Effort } from './effort.ts'
import { type Attempt, type Measurement, measurementLine } from './measurement.ts'
import { type Measure, measures } from './measures.ts'
import { countRenderers } from './renderer-counter.ts'
import { openTraceReport } from './trace-report.ts'
import { makeWorkDirectory } from './work-directory.ts'

/** The measures to run. */
export interface BenchmarkOptions {
  /** Names of measures; none for all that are not run by name only. */
  readonly names: readonly string[]
  readonly effort: Effort
  /** True to record traces; their reports are progress, too. */
  readonly traces?: boolean
  /** Receives the names of each measure as it begins, and a line for each value. */
  readonly progress: (text: string) => void
}

/** The result of a benchmark. */
interface BenchmarkResult {
  readonly measurements: readonly Measurement[]
  /** Measures that did not run to their end, and why. */
  readonly failures: ReadonlyArray<{ readonly measure: string; readonly error: unknown }>
}

/**
 * Measures the mesh in one run, each measure in a directory of its own. One that fails does not keep the others from running.
 * @throws Error for an unknown name
 */
export async function runBenchmark({
  names,
  effort,
  traces = false,
  progress,
}: BenchmarkOptions): Promise<BenchmarkResult> {
  const chosen = chooseMeasures(names)
  const wanted = new Set(names.length > 0 ? names : chosen.flatMap((measure) => measure.names))
  await using place = await makeWorkDirectory()
  await using report = traces ? await openTraceReport() : undefined
  const renderers = await countRenderers(place.directory)
  const measurements: Measurement[] = []
  const failures: Array<BenchmarkResult['failures'][number]> = []
  for (const { names: own, run } of chosen) {
    const measure = own.join(', ')
    progress(measure)
    const directory = path.join(place.directory, own.join('-'))
    const attempt: Attempt = async (what, work) => {
      try {
        const measured = await work()
        measurements.push(...measured)
        for (const one of measured) progress(measurementLine(one))
      } catch (error) {
        progress(`  ${what} FAILED: ${String(error)}`)
        failures.push({ measure: what, error })
      }
    }
    await attempt(measure, async () => {
      return (
        (await run({
          directory,
          effort,
          renderers,
          names: wanted,
          attempt: (what, work) => attempt(`${measure}, ${what}`, work),
        })) ?? []
      )
    })
    if (report) progress(report.take())
  }
  return { measurements, failures }
}

function chooseMeasures(names: readonly string[]): readonly Measure[] {
  const known = measures.flatMap((measure) => measure.names)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(`unknown measure ${unknown}; expected one of ${known.join(', ')}`)
  }
  if (names.length === 0) return measures
  return measures.filter((measure) => measure.names.some((name) => names.includes(name)))
}
