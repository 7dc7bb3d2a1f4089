import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { escapeHtml } from './escape-html.ts'
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
import { diffTitle, othersText, type ShownDiff, shownDiffs } from './equal-diffs.ts'

/** The options of a comment. */
export interface CommentOptions {
  /** The most characters; 60,000 by default. A comment of GitHub may have 65,536, and a pipeline puts something around the report. */
  readonly maxLength?: number
  /** Sentences in Markdown for the list of the summary; none by default. */
  readonly notes?: readonly string[]
  /** The address of the whole report, in Markdown, for comments that leave something out; not mentioned by default. */
  readonly whole?: string
}

const defaultMaxLength = 60_000

/** The longest error or warning, in characters. */
const maxMessage = 1_000

/** The longest list of Applications with one diff, in characters. */
const maxList = 12_000

/** Control characters but tab and line feed, and those that change the direction of text. */
const hiddenCharacters = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** Writes a comparison as a comment for a pull request. Parts that do not fit are left out, the diffs first, and counted. */
export function markdownReport(report: Report, options: CommentOptions = {}): string {
  const { maxLength = defaultMaxLength, notes = [], whole = '' } = options
  const rows = branchesOf(report).flatMap(({ branch, applications }) =>
    applications.map((application) => ({ branch, application })),
  )
  let text = summaryText(report, notes)
  // The last sentence says what was left out, and always fits.
  const room = maxLength - 200 - whole.length
  const tableRows = rows.map(({ branch, application }) => tableRow(branch, application))
  const shown = fitting(tableRows, room - text.length - tableHeader.length)
  if (shown.length > 0) text += `${tableHeader}${shown.join('')}\n`
  const left = new Map<string, number>()
  if (shown.length < rows.length) left.set('application', rows.length - shown.length)
  const parts = [
    ...rows.flatMap(({ application }) => errorParts(application)),
    ...rows.flatMap(({ application }) => warningParts(application)),
    ...shownDiffs(report).map(diffPart),
  ]
  for (const { noun, count = 1, write } of parts) {
    const part = write(room - text.length)
    if (part === undefined || text.length + part.length > room) left.set(noun, (left.get(noun) ?? 0) + count)
    else text += part
  }
  if (left.size === 0) return text
  const counts = [...left].map(([noun, count]) => counted(count, `more ${noun}`)).join(', ')
  return `${text}${counts}: the whole report is too long for a comment.${whole === '' ? '' : ` ${whole}`}\n`
}

function summaryText(report: Report, notes: readonly string[]): string {
  const { summary, before, after } = report
  const lines = [
    `### Hydrated changes`,
    '',
    `${inline(before)} compared with ${inline(after)}`,
    '',
    `- Applications: ${applicationCounts(summary)}`,
    `- Branches changed: ${summary.branches}`,
    `- Objects: ${objectCounts(summary)}`,
    ...(summary.objectsIgnored > 0
      ? [`- Ignored by the rules in \`wadi.yaml\`: ${counted(summary.objectsIgnored, 'object')}`]
      : []),
    `- Errors: ${summary.errors}`,
    `- Warnings: ${summary.warnings}`,
    ...notCompared(summary).map((text) => `- Not compared: ${text}`),
    ...notes.map((text) => `- ${text}`),
    ...summary.messages.slice(0, 5).map((text) => `- Warning: ${inline(text)}`),
  ]
  return `${lines.join('\n')}\n\n`
}

const tableHeader = '| Branch | Application | Outcome | Objects |\n| --- | --- | --- | --- |\n'

function tableRow(branch: string, application: ApplicationChanges): string {
  const cell = (text: string): string => inline(text.replaceAll('|', '¦'))
  const text = outcomeText(application)
  const outcome = text === application.outcome ? text : cell(text)
  const cells = [cell(branch), cell(qualifiedName(application)), outcome, objectSigns(application)]
  return `| ${cells.join(' | ')} |\n`
}

function fitting(parts: readonly string[], room: number): string[] {
  let left = room
  return parts.filter((part) => (left -= part.length) >= 0)
}

/** A part of the comment that may be left out. */
interface Part {
  /** The noun for the count of those that are left out. */
  readonly noun: string
  /** The number of items that it stands for; 1 by default. */
  readonly count?: number
  /** Undefined when it cannot fit into so many characters. */
  readonly write: (room: number) => string | undefined
}

function errorParts(application: ApplicationChanges): Part[] {
  const before = application.failedBefore ? ' (also before)' : ''
  const subject = `**Error**${before} ${inline(qualifiedName(application))}`
  return application.errors.map((text) => ({ noun: 'error', write: () => `${subject}: ${inline(text)}\n\n` }))
}

function warningParts(application: ApplicationChanges): Part[] {
  const subject = `**Warning** ${inline(qualifiedName(application))}`
  return application.warnings.map((text) => ({
    noun: 'warning',
    write: () => `${subject}: ${inline(text)}\n\n`,
  }))
}

function diffPart(diff: ShownDiff): Part {
  // Forges look for mentions in all text but code.
  const summary = `<summary><code>${escapeHtml(oneLine(diffTitle(diff)))}</code></summary>`
  const { others, text } = diff
  const write = (room: number): string | undefined => {
    if (text.length > room) return undefined
    const same = others.length === 0 ? '' : `${listed(othersText(diff))}\n`
    return `<details>${summary}\n\n${fenced(text)}\n${same}</details>\n\n`
  }
  return { noun: 'diff', count: others.length + 1, write }
}

/** A list of names as code, cut where it becomes long. */
function listed(text: string): string {
  return inline(text.length > maxList ? `${text.slice(0, maxList)}…` : text, maxList + 1)
}

/** A code span, so that text from git is neither a link nor markup. */
function inline(text: string, longestLine = maxMessage): string {
  const flat = oneLine(text, longestLine)
  const longest = longestTicks(flat)
  const ticks = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return `${ticks}${space}${flat || ' '}${space}${ticks}`
}

/** A block of code whose fence is longer than any in it. */
function fenced(text: string): string {
  const shown = visible(text)
  const fence = '`'.repeat(Math.max(3, longestTicks(shown) + 1))
  return `${fence}diff\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}\n`
}

function longestTicks(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

function oneLine(text: string, longest = maxMessage): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return visible(cut).replaceAll(/\s+/g, ' ')
}

/** Without control characters, which forges reject or which turn the direction of text around. */
function visible(text: string): string {
  return text.toWellFormed().replaceAll(hiddenCharacters, '\u{FFFD}')
}
