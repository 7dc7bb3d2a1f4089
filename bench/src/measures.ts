import type { Effort } from './effort.ts'
import type { Attempt, Measurement } from './measurement.ts'
import { measureBigRepository } from './measures/big-repository.ts'
import { measureBranches } from './measures/branches.ts'
import { measureCluster } from './measures/cluster.ts'
import { measureColdAndChanges } from './measures/cold-and-changes.ts'
import { measureCommitServer } from './measures/commit-paths.ts'
import { measureCommandLine } from './measures/command-line.ts'
import { measureConsole } from './measures/console.ts'
import { measureDiff } from './measures/diff.ts'
import { measureGrowth } from './measures/growth.ts'
import { measureKubernetes } from './measures/kubernetes.ts'
import { measureLarge } from './measures/large-repository.ts'
import { measureProgramStarts } from './measures/program-starts.ts'
import { measureProof } from './measures/proof.ts'
import { measureRemote } from './measures/remote.ts'
import { measureReview } from './measures/review.ts'
import { measureTools } from './measures/tools.ts'
import type { CountedRenderers } from './renderer-counter.ts'

/** The inputs of a measure. */
interface MeasureRun {
  /** A path of its own, where nothing is yet. */
  readonly directory: string
  readonly effort: Effort
  readonly renderers: CountedRenderers
  /** The names that were asked for; a measure with several reports these alone. */
  readonly names: ReadonlySet<string>
  /** For a measure of several parts, which then returns nothing: makes one of them. */
  readonly attempt: Attempt
}

/** One piece of work that gives values for one or several names. */
export interface Measure {
  readonly names: readonly string[]
  readonly run: (run: MeasureRun) => Measurement[] | Promise<Measurement[] | void>
}

/** All measures, in the order in which they run. */
export const measures: readonly Measure[] = [
  { names: ['program-start'], run: ({ effort }) => measureProgramStarts(effort) },
  { names: ['cluster'], run: ({ effort }) => measureCluster(effort) },
  { names: ['kubernetes'], run: ({ effort, attempt }) => measureKubernetes(effort, attempt) },
  {
    names: ['command-line'],
    run: ({ effort, renderers }) => measureCommandLine(effort, renderers.directory),
  },
  { names: ['commit-server'], run: ({ directory, effort }) => measureCommitServer(directory, effort) },
  {
    names: ['cold', 'fan-out', 'one-change', 'no-change'],
    run: ({ directory, effort, renderers, names }) =>
      measureColdAndChanges(directory, effort, renderers, names),
  },
  {
    names: ['branches'],
    run: ({ directory, effort, renderers }) => measureBranches(directory, effort, renderers),
  },
  {
    names: ['remote'],
    run: ({ directory, effort, renderers }) => measureRemote(directory, effort, renderers),
  },
  {
    names: ['diff'],
    run: ({ directory, effort, renderers }) => measureDiff(directory, effort, renderers),
  },
  {
    names: ['review'],
    run: ({ directory, effort, renderers }) => measureReview(directory, effort, renderers),
  },
  {
    names: ['tools'],
    run: ({ directory, effort, renderers }) => measureTools(directory, effort, renderers),
  },
  {
    names: ['flat', 'memory'],
    run: ({ directory, effort, renderers, names }) => measureLarge(directory, effort, renderers, names),
  },
  {
    names: ['growth'],
    run: ({ directory, effort, renderers }) => measureGrowth(directory, effort, renderers),
  },
  {
    names: ['big-repository'],
    run: ({ directory, effort }) => measureBigRepository(directory, effort),
  },
  {
    names: ['console'],
    run: ({ directory, effort, renderers }) => measureConsole(directory, effort, renderers),
  },
  {
    names: ['proof'],
    run: ({ directory, effort, renderers, attempt }) => measureProof(directory, effort, renderers, attempt),
  },
]
