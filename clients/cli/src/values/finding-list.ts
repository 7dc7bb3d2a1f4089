import type { JsonObject } from '@bufbuild/protobuf'
import { formatLocation } from '@wadi/params/located.ts'
import type { Finding } from '@wadi/zarf/finding.ts'
import { printable } from '../printable.ts'

/** Returns findings by file, line and column, each once; those without a place come first. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const distinct = new Map(findings.map((finding) => [findingLine(finding), finding]))
  return [...distinct.values()].toSorted(
    (a, b) =>
      compareText(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
      compareText(a.message, b.message),
  )
}

/** Returns a finding as one line, `file:line:column: message`; what is no fault has `note: ` before the message. */
export function findingLine({ severity, message, at }: Finding): string {
  const place = at === undefined ? '' : `${formatLocation(at)}: `
  return printable(`${place}${severity === 'error' ? '' : `${severity}: `}${message}`)
}

/** Returns a finding for programs: severity and message, and of file, line and column what is known. */
export function findingObject({ severity, message, at }: Finding): JsonObject {
  return {
    severity,
    ...(at !== undefined && { file: at.file }),
    ...(at?.line !== undefined && { line: at.line }),
    ...(at?.column !== undefined && { column: at.column }),
    message,
  }
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
