import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import {
  applicationCounts,
  branchesOf,
  counted,
  notCompared,
  objectCounts,
  objectSigns,
  outcomeText,
  qualifiedName,
  type Report,
} from './report.ts'
import { diffTitle, othersText, shownDiffs } from './equal-diffs.ts'

/** A line for a terminal; texts are from git and may hold any character. */
export interface ReportLine {
  readonly style: 'plain' | 'heading' | 'added' | 'removed' | 'hunk' | 'error' | 'warning'
  readonly text: string
}

/** Yields a comparison as lines: the overview, then the diff of each object. */
export function* textReport(report: Report): Generator<ReportLine> {
  yield* overviewLines(report)
  for (const diff of shownDiffs(report)) {
    yield plain('')
    yield heading(`===== ${diffTitle(diff)} =====`)
    yield* diffLines(diff.text)
    if (diff.others.length > 0) yield plain(othersText(diff))
  }
}

/** Yields the summary and the Applications by branch, with their errors and warnings. */
export function* overviewLines(report: Report): Generator<ReportLine> {
  yield* summaryLines(report)
  const branches = branchesOf(report)
  const hasSeveral = new Set(branches.map(({ repoUrl }) => repoUrl)).size > 1
  for (const { repoUrl, branch, applications } of branches) {
    yield plain('')
    yield heading(`branch ${branch}${hasSeveral ? ` of ${repoUrl}` : ''}`)
    for (const application of applications) yield* applicationLines(application)
  }
}

function* summaryLines(report: Report): Generator<ReportLine> {
  const { summary, before, after } = report
  const field = (name: string, value: string): ReportLine => plain(`${`${name}:`.padEnd(14)} ${value}`)
  yield field('Compared', `${before} with ${after}`)
  yield field('Applications', applicationCounts(summary))
  yield field('Branches', summary.branches === 0 ? 'none changed' : `${summary.branches} changed`)
  yield field('Objects', objectCounts(summary))
  if (summary.objectsIgnored > 0) {
    yield field('Ignored', `${counted(summary.objectsIgnored, 'object')} by the rules in wadi.yaml`)
  }
  yield field('Errors', String(summary.errors))
  yield field('Warnings', String(summary.warnings))
  for (const text of notCompared(summary)) yield field('Not compared', text)
  for (const text of summary.messages) yield { style: 'warning', text: `warning: ${text}` }
}

function* applicationLines(application: ApplicationChanges): Generator<ReportLine> {
  const { errors, warnings, failedBefore, ignored } = application
  const counts = [objectSigns(application), ignored > 0 ? `${ignored} ignored` : '']
  const details = [outcomeText(application), ...counts].filter(Boolean)
  yield plain(`  ${qualifiedName(application)}  ${details.join('  ')}`)
  const before = failedBefore ? ' (also before)' : ''
  for (const text of errors) yield { style: 'error', text: `    error${before}: ${text}` }
  for (const text of warnings) yield { style: 'warning', text: `    warning: ${text}` }
}

/** Yields the lines of a unified diff. */
export function* diffLines(text: string): Generator<ReportLine> {
  for (const line of text.replace(/\n$/, '').split('\n')) yield { style: diffStyle(line), text: line }
}

function diffStyle(line: string): ReportLine['style'] {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'hunk' : 'plain'
}

function plain(text: string): ReportLine {
  return { style: 'plain', text }
}

function heading(text: string): ReportLine {
  return { style: 'heading', text }
}
