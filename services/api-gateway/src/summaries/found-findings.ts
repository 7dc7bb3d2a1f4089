import { groupOf, memberFindings } from '@wadi/hydration/application-status.ts'
import type { GroupStatus, RecordedFinding } from '@wadi/hydration/hydrated-branch.ts'
import type { IndexedApplication, SummaryIndex } from './summary-index.ts'

/** A finding in a list, with the fields of the message `ApplicationFinding`. */
export interface FoundFinding extends Required<Omit<RecordedFinding, 'waiver'>> {
  namespace: string
  name: string
  project: string
  /** The directory that is rendered. */
  path: string
  repoUrl: string
  drySha: string
  waiver?: RecordedFinding['waiver']
}

/** Returns what gates found in an Application, by the record of its branch. */
export function findingsOf(
  { source: { spec, member, branchKey } }: IndexedApplication,
  summaries: Pick<SummaryIndex, 'record'>,
): FoundFinding[] {
  if (!member || branchKey === undefined) return []
  const found = memberFindings(member, summaries.record(branchKey))
  if (!found) return []
  const { namespace, name, project, path } = spec
  // The record does not say which one of several sources a file is of.
  const repoUrl = member.sources ? '' : spec.repoUrl
  const { drySha } = found
  return found.findings.map(({ file = '', line = 0, ...finding }) => ({
    namespace,
    name,
    project,
    path,
    repoUrl,
    drySha,
    file,
    line,
    ...finding,
  }))
}

/** Returns the number of findings that the records of Applications' groups have no room for. */
export function findingsLeftOut(
  applications: readonly IndexedApplication[],
  summaries: Pick<SummaryIndex, 'record'>,
): number {
  const groups = new Set<GroupStatus>()
  for (const { source } of applications) {
    const record = source.branchKey === undefined ? undefined : summaries.record(source.branchKey)
    const group = source.member && groupOf(source.member, record)
    if (group) groups.add(group)
  }
  let leftOut = 0
  for (const { found, success } of groups)
    leftOut += (found?.findingsLeftOut ?? 0) + (success?.findingsLeftOut ?? 0)
  return leftOut
}
