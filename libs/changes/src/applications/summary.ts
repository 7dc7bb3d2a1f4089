import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type ApplicationChanges,
  type ChangesSummary,
  ChangesSummarySchema,
  type ObjectChange,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { directoryOf } from './mark-moves.ts'

/** The facts about a comparison other than the changed Applications. */
type ComparisonFacts = MessageInitShape<typeof ChangesSummarySchema> & {
  /** All Applications that were compared. */
  applications: number
}

/** Counts what a comparison found; the objects of a directory that several Applications share count once. */
export function summarize(
  applications: readonly ApplicationChanges[],
  facts: ComparisonFacts,
): ChangesSummary {
  const summary = create(ChangesSummarySchema, facts)
  const branches = new Set<string>()
  const directories = new Set<string>()
  summary.warnings += summary.messages.length
  for (const application of applications) {
    const { outcome, errors, warnings } = application
    if (outcome === 'changed') summary.changed++
    if (outcome === 'added') summary.added++
    if (outcome === 'removed') summary.removed++
    if (outcome === 'failed') summary.failed++
    summary.errors += errors.length
    summary.warnings += warnings.length
    if (outcome === 'failed') continue
    if (changesBranch(application)) {
      for (const { branch } of [application, application.movedFrom ?? application]) {
        branches.add(JSON.stringify([application.repoUrl, branch]))
      }
    }
    // One that goes and one that comes to the same directory have different objects.
    const directory = `${outcome} ${directoryOf(application)}`
    if (directories.has(directory)) continue
    directories.add(directory)
    summary.objectsIgnored += application.ignored
    for (const object of application.objects) count(summary, object)
  }
  summary.branches = branches.size
  const { changed, added, removed, failed } = summary
  summary.unchanged = summary.applications - changed - added - removed - failed
  return summary
}

/** Returns whether anything is written: branches hold the names of Applications, and the namespaces but not the clusters of their destinations. */
function changesBranch(application: ApplicationChanges): boolean {
  const { outcome, objects, movedFrom, renamedFrom } = application
  const { destinationNamespace, previousDestination } = application
  if (outcome !== 'changed') return outcome !== 'unchanged'
  const hasOtherNamespace = previousDestination && previousDestination.namespace !== destinationNamespace
  return (
    objects.length > 0 || movedFrom !== undefined || renamedFrom !== undefined || hasOtherNamespace === true
  )
}

function count(summary: ChangesSummary, { change, movedTo }: ObjectChange): void {
  if (change === 'created') summary.objectsCreated++
  if (change === 'changed') summary.objectsChanged++
  if (change === 'moved') summary.objectsMoved++
  if (change === 'renamed') summary.objectsRenamed++
  if (change === 'removed' && !movedTo) summary.objectsRemoved++
}
