import type { JsonObject } from '@bufbuild/protobuf'
import { formatLocation } from '@wadi/errors/location.ts'
import { type Finding, objectName } from '@wadi/gates/finding.ts'
import { tableText } from '../output/table.ts'
import type { ReportedFinding } from './sarif-log.ts'

/** A finding and the directory or file that was checked. */
export interface SourceFinding extends Finding {
  /** The path in the repository. */
  readonly source: string
}

/** Lays out findings as a table. A finding whose line is not known has its source as place. */
export function findingTable(findings: readonly SourceFinding[]): string {
  const rows = findings.map((finding) => [
    finding.severity,
    finding.rule,
    objectName(finding),
    finding.field,
    finding.at === undefined ? finding.source || '.' : formatLocation(finding.at),
    finding.message,
  ])
  return tableText(['SEVERITY', 'RULE', 'OBJECT', 'FIELD', 'PLACE', 'MESSAGE'], rows)
}

/** Returns a finding for programs; `file` and `line` only where they are known. */
export function findingObject(finding: SourceFinding): JsonObject {
  const { severity, rule, object, field, message, source, at } = finding
  return {
    severity,
    rule,
    object: { ...object },
    field,
    message,
    source: source || '.',
    ...(at !== undefined && { file: at.file }),
    ...(at?.line !== undefined && { line: at.line }),
  }
}

/** Returns a finding for a log of SARIF. */
export function reportedFinding(finding: SourceFinding): ReportedFinding {
  const { rule, severity, field, message, source, at, waiver } = finding
  return {
    rule,
    severity,
    object: objectName(finding),
    field,
    message,
    source,
    file: at?.file,
    line: at?.line,
    waiver,
  }
}
