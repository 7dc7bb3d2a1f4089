import type { CompareOptions } from '@wadi/changes/objects/compare-manifests.ts'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { Directory, ObservedGroup, ValidatedRun } from '../run/branch-run.ts'
import type { DirectoryErrors } from '../run/directory-errors.ts'
import type { RunContext } from '../run/run-context.ts'
import {
  applicationChanges,
  compareSides,
  type DirectoryChanges,
} from '@wadi/changes/applications/application-changes.ts'
import type { BranchComparison } from './compare-branch.ts'
import { renderedSide } from '@wadi/changes/applications/rendered-side.ts'
import { groupAsHydrated, groupAt } from './compared-run.ts'
import { inspectRevision } from './inspect-revision.ts'
import { type InspectedSide, inspectSide } from './inspected-side.ts'
import { rejectedApplications } from './rejected-applications.ts'
import { settledSide } from './settled-side.ts'
import { newWarnings, renderWarnings } from '@wadi/changes/applications/new-warnings.ts'
import { warningsOfSuccess } from '../run/report/recorded-warnings.ts'
import { renderErrors } from './render-errors.ts'
import { type RenderedPair, renderedPairs } from './rendered-pairs.ts'

/** A group of a branch that is compared. */
export interface ComparedGroup {
  readonly run: ValidatedRun
  readonly group: ObservedGroup
  readonly of: BranchComparison
}

/** Errors or warnings by Application. */
type Texts = ReadonlyMap<string, readonly string[]>

/** Compares the Applications of one group of a branch, each for itself: an error of one does not hide the others. */
export async function compareGroup(
  context: RunContext,
  { run, group, of }: ComparedGroup,
  signal: AbortSignal,
): Promise<ApplicationChanges[]> {
  const { comparison, isFromFork, triedTools } = of
  const { revisionSha, base: baseSha, baseHead } = comparison
  const directories = wantedDirectories(run.directories.get(group) ?? [], of)
  of.made.addCompared({ run, group }, directories)
  const inspectAt = (at: ObservedGroup) =>
    inspectSide(context, { run, directories }, { at, known: undefined, withoutCommands: false }, signal)
  const inspectBase = async (drySha: string) => {
    const at = groupAt(group, comparison, drySha)
    return settledSide({ run, directories }, at) ?? inspectAt(at)
  }
  // Where they part is looked for meanwhile.
  const assumed = baseSha && inspectBase(baseHead)
  assumed?.catch(() => undefined)
  const inspectingBase = baseSha?.then((drySha) =>
    assumed && drySha === baseHead ? assumed : inspectBase(drySha),
  )
  const knownBefore = inspectingBase ? inspectingBase.then(({ plan }) => plan.fingerprints) : run.known
  const [base, planned, options] = await Promise.all([
    inspectingBase,
    inspectRevision(
      context,
      { run: { ...run, triedTools }, directories },
      { at: groupAt(group, comparison, revisionSha), known: knownBefore, withoutCommands: isFromFork },
      signal,
    ),
    of.options,
  ])
  const errorsBefore = base ? errorsOf(base) : recordedErrors(group)
  const changes = failedDirectories(directories, planned.plan.errors, errorsBefore)
  of.onPlanned(planned.plan.changed.length)
  const known = base ? base.outcome.warnings : warningsOfSuccess(group.before).warnings
  const hydratedFrom = asHydrated(base, groupAsHydrated(group), inspectAt)
  const comparedWith = { base, hydratedFrom }
  for await (const pair of renderedPairs(context, planned, comparedWith, signal)) {
    of.onRendered()
    const found = changesOf(pair, errorsBefore, options)
    await of.made.note(context, pair, found.objects ?? [])
    const rejected = await rejectedApplications(context, pair.rendered, found.objects ?? [])
    const warnings = [...(found.warnings ?? []), ...rejected]
    changes.set(pair.rendered.directory, { ...found, warnings })
  }
  return directories.flatMap((directory) => {
    const found: DirectoryChanges = changes.get(directory) ?? { outcome: 'unchanged' }
    return directory.members.filter(of.isWanted).flatMap((member) => {
      const all = [...(planned.outcome.warnings.get(member.name) ?? []), ...(found.warnings ?? [])]
      const warnings = newWarnings(all, known.get(member.name) ?? [])
      if (found.outcome === 'unchanged' && warnings.length === 0 && !found.ignored) return []
      return [applicationChanges(run, member, { ...found, warnings })]
    })
  })
}

/** The directories of which an Application is compared; the list itself when it is all of them, as what is known of a list is not sent again. */
function wantedDirectories(
  directories: readonly Directory[],
  { isWanted }: BranchComparison,
): readonly Directory[] {
  const wanted = directories.filter(({ members }) => members.some(isWanted))
  return wanted.length === directories.length ? directories : wanted
}

function errorsOf({ plan }: InspectedSide): Texts {
  const byApplication = Map.groupBy(plan.errors.failures, ({ application }) => application)
  return new Map([...byApplication].map(([name, failures]) => [name, failures.map(({ message }) => message)]))
}

/** Returns the errors that the newest run of a group reported, by Application. */
export function recordedErrors({ before }: ObservedGroup): Texts {
  const failures = before?.phase === 'Failed' ? before.failures : []
  return new Map(failures.map(({ application, message }) => [application, [message]]))
}

/** Returns the side that the branch was hydrated from, asked for once. */
function asHydrated(
  base: InspectedSide | undefined,
  group: ObservedGroup | undefined,
  inspectAt: (group: ObservedGroup) => Promise<InspectedSide>,
): () => Promise<InspectedSide | undefined> {
  let asked: Promise<InspectedSide | undefined> | undefined
  const ask = async (): Promise<InspectedSide | undefined> => {
    try {
      return base ?? (group && (await inspectAt(group)))
    } catch (error) {
      // A commit may be gone since.
      if (!(error instanceof DomainError) || error.retryable) throw error
      return undefined
    }
  }
  return () => (asked ??= ask())
}

function failedDirectories(
  directories: readonly Directory[],
  { failures }: DirectoryErrors,
  errorsBefore: Texts,
): Map<Directory, DirectoryChanges> {
  const byApplication = Map.groupBy(failures, ({ application }) => application)
  const failed = directories.flatMap((directory): [Directory, DirectoryChanges][] => {
    const [{ name }] = directory.members
    const found = byApplication.get(name)
    if (!found) return []
    const errors = found.map(({ message }) => message)
    const places = found.map(({ place }) => place)
    return [[directory, { outcome: 'failed', errors, places, failedBefore: errorsBefore.has(name) }]]
  })
  return new Map(failed)
}

function changesOf(
  { rendered, before, errorBefore }: RenderedPair,
  errorsBefore: Texts,
  options: CompareOptions,
): DirectoryChanges {
  const [{ name }] = rendered.directory.members
  const failedBefore = errorBefore !== '' || errorsBefore.has(name)
  const { error, record } = rendered
  if (error !== '') return { outcome: 'failed', ...renderErrors(rendered), failedBefore }
  try {
    return {
      ...compareSides(before, renderedSide(rendered, rendered.directory.layout), options),
      warnings: renderWarnings(record),
    }
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause
    return { outcome: 'failed', errors: [cause.message], failedBefore }
  }
}
