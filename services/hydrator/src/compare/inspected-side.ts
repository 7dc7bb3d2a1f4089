import type { Directory, ObservedGroup } from '../run/branch-run.ts'
import type { MadeInPass } from '../run/definitions/made-kinds.ts'
import { definitionsFor, findInLists, type GroupPlan, planOf } from '../run/inspect/inspect.ts'
import type { RunContext } from '../run/run-context.ts'
import { type GroupOfRun, outcomeFrom, type RunOutcome } from '../run/run-outcome.ts'

/** The directories of a group at one dry commit, and which of them differ from other fingerprints. */
export interface InspectedSide extends GroupOfRun {
  readonly drySha: string
  readonly keepDate: false
  readonly plan: GroupPlan
}

/** A group of a branch and the directories of it that are compared. */
export interface ComparedDirectories extends Pick<GroupOfRun, 'run'> {
  readonly directories: readonly Directory[]
}

/** The group to inspect, and the fingerprints to compare it with. */
export interface WantedSide {
  readonly at: ObservedGroup
  readonly known: RunOutcome['known'] | Promise<RunOutcome['known']>
  readonly withoutCommands: boolean
  /** The objects that the commit was found to have, whose definitions apply; default: none. */
  readonly made?: MadeInPass
}

/**
 * Inspects directories at a dry commit, as a run does.
 * @param at their group with the commits that are looked at
 * @param known the fingerprints to compare them with; awaited along with the inspection
 */
export async function inspectSide(
  context: RunContext,
  { run, directories }: ComparedDirectories,
  { at, known, withoutCommands, made }: WantedSide,
  signal: AbortSignal,
): Promise<InspectedSide> {
  const narrowed = { ...run, directories: new Map([[at, directories]]) }
  const { drySha } = at
  const wanted = { run: narrowed, group: at, drySha, keepDate: false, withoutCommands } as const
  const [found, before] = await Promise.all([findInLists(context, wanted, signal), known])
  const outcome = comparisonOutcome(run, before)
  const definitions = await definitionsFor(context, { run, outcome, made }, found, signal)
  return { ...wanted, outcome, plan: planOf({ run: narrowed, outcome }, at, found, definitions) }
}

/** The outcome of a run that will do nothing. */
export function comparisonOutcome(
  { position }: Pick<GroupOfRun['run'], 'position'>,
  known?: RunOutcome['known'],
): RunOutcome {
  return outcomeFrom({ foreign: undefined, position, known, resting: new Set(), failures: new Map() })
}
