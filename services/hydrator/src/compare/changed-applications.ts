import {
  applicationChanges,
  type ComparedSide,
  compareSides,
  type DirectoryChanges,
} from '@wadi/changes/applications/application-changes.ts'
import type { PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import { transitionOf } from '@wadi/changes/applications/transition.ts'
import { qualifiedName } from '@wadi/changes/report/report.ts'
import { mapUnordered } from '@wadi/concurrency/map-unordered.ts'
import { DomainError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type DrySource, drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import { cleanedPath, type Member } from '../applications/application-index.ts'
import type { Directory } from '../run/branch-run.ts'
import { groupsOf } from '../run/observe/groups.ts'
import type { RenderedDirectory } from '../run/render/render.ts'
import type { RunContext } from '../run/run-context.ts'
import { warningsOfSuccess } from '../run/report/recorded-warnings.ts'
import type { BranchComparison } from './compare-branch.ts'
import { recordedErrors } from './compare-group.ts'
import { groupAt, observedAtTarget } from './compared-run.ts'
import { heldSides } from './directory-sides.ts'
import { maskedSide, renderedSide } from '@wadi/changes/applications/rendered-side.ts'
import { type InspectedSide, inspectSide } from './inspected-side.ts'
import type { ChangedMember } from './made-applications.ts'
import { newWarnings, renderWarnings } from '@wadi/changes/applications/new-warnings.ts'
import { renderOnly } from './rendered-pairs.ts'

type Compared = Omit<BranchComparison, 'onPlanned' | 'onRendered'>

/** Each is inspected and rendered by itself, so of a revision that changes thousands some are compared. */
const maxApplications = 200

const applicationsAtOnce = 5

/** New Applications that a warning names. */
const maxNamed = 5

/**
 * Compares the Applications that a revision itself changes or removes: what they were with what they would be. Takes the place of what was
 * found of them as they are stored.
 * @param applications the findings for all Applications
 * @returns all Applications, with warnings for the summary
 */
export async function withChangedApplications(
  context: RunContext,
  of: Compared,
  applications: readonly ApplicationChanges[],
  signal: AbortSignal,
): Promise<{ applications: ApplicationChanges[]; warnings: string[] }> {
  const isStored = (name: string): boolean => {
    const [namespace = '', ...rest] = name.split('/')
    return context.index.branchOf(namespace, rest.join('/')) !== undefined
  }
  const { changed: all, added: names } = of.made.changes(isStored)
  const some = all.slice(0, maxApplications)
  const found = new Map(applications.map((one) => [qualifiedName(one), one]))
  // One of them may be what an Application became that is removed.
  const isRemoving = all.some(({ after }) => after === undefined)
  for (const [maker, made] of isRemoving ? names : []) {
    const list = someInLine(made, maxNamed)
    found.get(maker)?.warnings.push(`what new Applications would be hydrated to is not compared: ${list}`)
  }
  const compareOne = async (changed: ChangedMember, each: AbortSignal) => ({
    changed,
    changes: await compareChanged(context, of, { changed, asStored: found.get(changed.member.name) }, each),
  })
  const added: ApplicationChanges[] = []
  for await (const { changed, changes } of mapUnordered(some, applicationsAtOnce, signal, compareOne)) {
    found.delete(changed.member.name)
    if (changes) added.push(changes)
  }
  const left = all.length - some.length
  const warnings =
    left > 0 ? [`${left} more Applications that the revision itself changes were compared as they are`] : []
  return { applications: [...found.values(), ...added], warnings }
}

interface ToCompare {
  readonly changed: ChangedMember
  /** The changes of the Application as it is stored; undefined when nothing changes. */
  readonly asStored: ApplicationChanges | undefined
}

/** Undefined when nothing changes. */
async function compareChanged(
  context: RunContext,
  of: Compared,
  { changed, asStored }: ToCompare,
  signal: AbortSignal,
): Promise<ApplicationChanges | undefined> {
  const { before, after, member, run } = changed
  const old = await sideBefore(context, of, changed, signal)
  if (!after) {
    const errors = asStored && !asStored.failedBefore ? asStored.errors : []
    const warnings = errors.map((error) => `until it is deleted it cannot be hydrated: ${error}`)
    const removed = compareSides(old.side, undefined, await of.options)
    return applicationChanges(run, member, { ...removed, warnings })
  }
  const transition = transitionOf(before, after)
  const changes = await changesTo(context, of, { changed, after, old }, signal)
  const isUnchanged = changes.outcome === 'unchanged'
  if (isUnchanged && !transition && (changes.warnings ?? []).length === 0 && !changes.ignored)
    return undefined
  const outcome = isUnchanged && transition ? 'changed' : changes.outcome
  return applicationChanges(after, after, { ...changes, ...transition, outcome })
}

/** The result of an Application before. */
interface OldSide {
  readonly side: ComparedSide | undefined
  readonly error: string
  readonly warnings: readonly string[]
}

async function sideBefore(
  context: RunContext,
  { comparison }: Compared,
  { run, group, directory, member }: ChangedMember,
  signal: AbortSignal,
): Promise<OldSide> {
  if (comparison.base === undefined) {
    const side = await heldSides(context, run, [directory.path], signal)(directory.path)
    const error = recordedErrors(group).get(member.name)?.join('\n') ?? ''
    return { side, error, warnings: warningsOfSuccess(group.before).warnings.get(member.name) ?? [] }
  }
  const at = groupAt(group, comparison, await comparison.base)
  const wanted = { at, known: undefined, withoutCommands: false }
  const inspected = await inspectSide(context, { run, directories: [directory] }, wanted, signal)
  const rendered = await renderOne(context, inspected, signal)
  const error = rendered.error ?? ''
  const known = inspected.outcome.warnings.get(member.name) ?? []
  if (rendered.error !== undefined) return { side: undefined, error, warnings: known }
  return {
    side: renderedSide(rendered.done, rendered.done.directory.layout),
    error,
    warnings: [...known, ...rendered.done.record.warnings],
  }
}

async function changesTo(
  context: RunContext,
  of: Compared,
  { changed, after, old }: { changed: ChangedMember; after: PlacedApplication; old: OldSide },
  signal: AbortSignal,
): Promise<DirectoryChanges> {
  const other = otherRepository(changed.member, after)
  if (other !== undefined) {
    const warnings = [
      `what it would be hydrated to is not compared, as it does not read ${redactUrl(other)} yet`,
    ]
    return { outcome: 'changed', warnings }
  }
  const failure = (error: string): DirectoryChanges => ({
    outcome: 'failed',
    errors: [error],
    failedBefore: old.error !== '',
  })
  try {
    const inspected = await inspectAfter(context, of, changed, after, signal)
    const rendered = await renderOne(context, inspected, signal)
    if (rendered.error !== undefined) return failure(rendered.error)
    const { record } = rendered.done
    const before = old.side && (of.comparison.base ? old.side : maskedSide(old.side, record))
    const found = compareSides(
      before,
      renderedSide(rendered.done, rendered.done.directory.layout),
      await of.options,
    )
    const warnings = [...(inspected.outcome.warnings.get(after.key) ?? []), ...renderWarnings(record)]
    return { ...found, warnings: newWarnings(warnings, old.warnings) }
  } catch (error) {
    if (!(error instanceof DomainError) || signal.aborted) throw error
    return failure(error.message)
  }
}

/** The first repository that an Application does not read as it is stored: whoever writes a revision chooses none for the credentials of a project. */
function otherRepository({ spec }: Member, { sources }: PlacedApplication): string | undefined {
  const keyOf = ({ repoURL, chart = '' }: DrySource): string => `${normalizeRepositoryUrl(repoURL)}\n${chart}`
  const known = new Set(drySourcesOf(spec).map(keyOf))
  return sources.find((source) => !known.has(keyOf(source)))?.repoURL
}

/** Inspects an Application as it would be, with the credentials and signatures of the project that it is in. */
async function inspectAfter(
  context: RunContext,
  { comparison, isFromFork, triedTools }: Compared,
  { run, member, directory }: ChangedMember,
  after: PlacedApplication,
  signal: AbortSignal,
): Promise<InspectedSide> {
  const { application, key: name, path } = after
  const { project } = member.application
  const spec = application.hydrated ?? member.spec
  const next: Member = {
    ...member,
    name,
    application: { ...application, project },
    spec,
    path: cleanedPath(path),
  }
  const [group] = groupsOf([next], [])
  if (!group) throw new Error('an application has no group')
  const at = groupAt(
    await observedAtTarget(context, group, comparison, signal),
    comparison,
    comparison.revisionSha,
  )
  if (at.sources.some(({ drySha }) => drySha === '')) {
    const { targetRevision } = at.sources.find(({ drySha }) => drySha === '') ?? group
    throw new NotFoundError(at.unresolved?.message ?? `it follows ${targetRevision}, which is not compared`)
  }
  const directories: Directory[] = [{ ...directory, path: next.path, members: [next] }]
  const wanted = { at, known: undefined, withoutCommands: isFromFork }
  return inspectSide(context, { run: { ...run, triedTools }, directories }, wanted, signal)
}

/** Renders the directory of a side, or returns why it cannot be. */
async function renderOne(
  context: RunContext,
  side: InspectedSide,
  signal: AbortSignal,
): Promise<{ done: RenderedDirectory; error?: undefined } | { error: string }> {
  const [failed] = side.plan.errors.failures
  if (failed) return { error: failed.message }
  for await (const done of renderOnly(context, side, side.plan.changed, signal))
    return done.error === '' ? { done } : { error: done.error }
  return { error: 'repo-server returned nothing for the source' }
}
