import type { Effort } from './effort.ts'
import type { Measurement } from './measurement.ts'
import { measureApplicationSets } from './measures/application-sets.ts'
import { measureColdAndChanges } from './measures/cold-and-changes.ts'
import { measureCommitServer } from './measures/commit-paths.ts'
import { measureCompletion } from './measures/completion.ts'
import { measureExplain } from './measures/explain.ts'
import { measureKubernetes } from './measures/kubernetes.ts'
import { measureLarge } from './measures/large-repository.ts'
import { measureParams } from './measures/params.ts'
import { measurePluginArchives } from './measures/plugin-archives.ts'
import { measurePluginCommits } from './measures/plugin-commits.ts'
import { measurePluginOverhead } from './measures/plugin-overhead.ts'
import { measurePolicyChecks } from './measures/policy-checks.ts'
import { measureTemplates } from './measures/templates.ts'
import type { CountedRenderers } from './renderer-counter.ts'

/** What a measure is given. */
interface MeasureRun {
  /** A path of its own, where nothing is yet. */
  readonly directory: string
  readonly effort: Effort
  readonly renderers: CountedRenderers
  /** The names that were asked for; a measure with several reports these alone. */
  readonly names: ReadonlySet<string>
}

/** One piece of work that gives values for one or several names. */
export interface Measure {
  readonly names: readonly string[]
  /** Whether it runs only when it is named, as it takes very long. */
  readonly onlyByName?: true
  readonly run: (run: MeasureRun) => Measurement[] | Promise<Measurement[]>
}

/** All measures, in the order in which they run. */
export const measures: readonly Measure[] = [
  { names: ['policy'], run: ({ effort }) => measurePolicyChecks(effort) },
  { names: ['kubernetes'], run: ({ effort }) => measureKubernetes(effort) },
  { names: ['params'], run: ({ effort }) => measureParams(effort) },
  { names: ['templates'], run: ({ effort }) => measureTemplates(effort) },
  {
    names: ['explain'],
    run: ({ directory, effort, renderers }) => measureExplain(directory, effort, renderers.tools),
  },
  { names: ['application-sets'], run: ({ directory, effort }) => measureApplicationSets(directory, effort) },
  { names: ['plugin-run'], run: ({ directory, effort }) => measurePluginOverhead(directory, effort) },
  { names: ['plugin-archives'], run: ({ directory, effort }) => measurePluginArchives(directory, effort) },
  {
    names: ['plugin-commits'],
    run: ({ directory, effort, renderers }) => measurePluginCommits(directory, effort, renderers.tools),
  },
  { names: ['commit-server'], run: ({ directory, effort }) => measureCommitServer(directory, effort) },
  {
    names: ['cold', 'one-change', 'no-change'],
    run: ({ directory, effort, renderers, names }) =>
      measureColdAndChanges(directory, effort, renderers, names),
  },
  {
    names: ['flat', 'memory'],
    run: ({ directory, effort, renderers, names }) => measureLarge(directory, effort, renderers, names),
  },
  {
    names: ['ten-thousand'],
    onlyByName: true,
    run: ({ directory, effort, renderers }) => measureCompletion(directory, effort, renderers),
  },
]
