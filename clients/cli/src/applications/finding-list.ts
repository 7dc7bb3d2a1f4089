import type { JsonObject } from '@bufbuild/protobuf'
import type { ApplicationFinding } from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import { type ReportedRun, sarifLog } from '../check/sarif-log.ts'
import { tableText } from '../output/table.ts'

/** Lays out findings of Applications as a table; who answers for waivers is a column if there are any. */
export function applicationFindingTable(findings: readonly ApplicationFinding[]): string {
  const headers = ['SEVERITY', 'RULE', 'APPLICATION', 'OBJECT', 'FIELD', 'PLACE']
  const areWaived = findings.some(({ waiver }) => waiver !== undefined)
  const rows = findings.map((finding) => [
    finding.waiver ? 'waived' : finding.severity,
    finding.rule,
    applicationOf(finding),
    finding.object,
    finding.field,
    placeOf(finding),
    ...(areWaived ? [finding.waiver ? `${finding.waiver.owner} until ${finding.waiver.expires}` : ''] : []),
  ])
  return tableText(areWaived ? [...headers, 'WAIVER'] : headers, rows)
}

/** Returns a finding for programs; `file`, `line` and `waiver` only where there is one. */
export function applicationFindingObject(finding: ApplicationFinding): JsonObject {
  const { severity, rule, project, object, field, message, path, file, line, waiver } = finding
  return {
    severity,
    rule,
    application: applicationOf(finding),
    project,
    object,
    field,
    message,
    repoURL: finding.repoUrl,
    drySHA: finding.drySha,
    path,
    ...(file !== '' && { file }),
    ...(line > 0 && { line }),
    ...(waiver && { waiver: { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires } }),
  }
}

/** Returns findings as SARIF, with a run for each dry commit. */
export function applicationFindingLog(findings: readonly ApplicationFinding[]): JsonObject {
  const runs = Map.groupBy(findings, ({ repoUrl, drySha }) => JSON.stringify([repoUrl, drySha]))
  return sarifLog(runs.size === 0 ? [{ findings: [] }] : Array.from(runs.values(), reportedRun))
}

function reportedRun(findings: readonly ApplicationFinding[]): ReportedRun {
  const [{ repoUrl, drySha } = { repoUrl: '', drySha: '' }] = findings
  return {
    findings: findings.map(({ file, line, path, waiver, ...finding }) => ({
      rule: finding.rule,
      severity: finding.severity,
      object: finding.object,
      field: finding.field,
      message: finding.message,
      source: path,
      file: file === '' ? undefined : file,
      line: line > 0 ? line : undefined,
      application: `${finding.namespace}/${finding.name}`,
      waiver,
    })),
    ...(repoUrl !== '' && drySha !== '' && { revision: { repoUrl, sha: drySha } }),
  }
}

function applicationOf({ namespace, name }: ApplicationFinding): string {
  return `${namespace}/${name}`
}

function placeOf({ file, line, path }: ApplicationFinding): string {
  if (file === '') return path
  return line > 0 ? `${file}:${line}` : file
}
