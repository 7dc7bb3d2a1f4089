import type { JsonObject } from '@bufbuild/protobuf'
import { counted } from '@wadi/changes/report/report.ts'
import { unifiedDiff } from '../applications/manifest-diff.ts'
import { printable, withoutTerminalControls } from '../output/printable.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'
import type { ShadowedApplication } from './shadow-application.ts'
import type { ShadowRow } from './shadow-history.ts'

const headers = ['APPLICATION', 'OUTCOME', 'OBJECTS', 'BRANCH', 'PATH', 'COMMIT', 'DRY']
const countHeaders = ['COMPARED', 'DIFFERED']

/**
 * Prints comparisons on standard output: as a table with the notes, errors and diffs below it, or as a list of objects.
 * @param fresh those whose diffs are shown in text; all by default
 */
export function printShadow(
  rows: readonly ShadowRow[],
  output: 'text' | 'json' | 'yaml',
  fresh: readonly ShadowedApplication[] = rows,
): void {
  process.stdout.write(
    output === 'text' ? shadowText(rows, fresh) : structuredText(rows.map(shadowObject), output),
  )
}

function shadowText(rows: readonly ShadowRow[], fresh: readonly ShadowedApplication[]): string {
  const isCounted = rows.some(({ compared }) => compared !== undefined)
  const cells = rows.map(({ compared = '', differed = '', ...row }) => [
    row.name,
    row.outcome,
    String(row.objects),
    row.branch,
    row.path,
    row.hydratedSha.slice(0, 7),
    row.drySha.slice(0, 7),
    ...(isCounted ? [String(compared), String(differed)] : []),
  ])
  const table = tableText(isCounted ? [...headers, ...countHeaders] : headers, cells)
  const details = fresh.map(detailsText).join('')
  return details === '' ? table : `${table}\n${details}`
}

function detailsText({ name, branch, differences, notes, error }: ShadowedApplication): string {
  const lines = [
    ...(error === undefined ? [] : [`not compared: ${error}`]),
    ...(differences.length === 0
      ? []
      : [`${counted(differences.length, 'object')} ${differences.length === 1 ? 'differs' : 'differ'}`]),
    ...notes,
  ]
  const text = lines.map((line) => `${printable(`${name}: ${line}`)}\n`).join('')
  if (differences.length === 0) return text
  const diffs = differences.map((one) => unifiedDiff(one, labelsOf(branch))).join('')
  return `${text}${withoutTerminalControls(diffs)}\n`
}

function shadowObject({ repoUrl, notes, differences, ...row }: ShadowRow): JsonObject {
  return {
    ...row,
    repoURL: repoUrl,
    notes: [...notes],
    differences: differences.map((one) => ({
      object: one.title,
      diff: unifiedDiff(one, labelsOf(row.branch)).trimStart(),
    })),
  }
}

function labelsOf(branch: string): { before: string; after: string } {
  return { before: `branch ${branch}`, after: 'Wadi' }
}
