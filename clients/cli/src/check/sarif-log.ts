import { createHash } from 'node:crypto'
import type { JsonObject } from '@bufbuild/protobuf'
import type { Finding } from '@wadi/gates/finding.ts'
import { programVersion } from '../command-line/program-version.ts'

const levels: Readonly<Record<string, string>> = { deny: 'error', warn: 'warning', audit: 'note' }

/** A finding of a gate for a log. */
export interface ReportedFinding {
  readonly rule: string
  readonly severity: string
  /** The object as `Kind/namespace/name`; empty for none. */
  readonly object: string
  readonly field: string
  readonly message: string
  /** The directory or file that was checked, in the repository. */
  readonly source: string
  /** The place that the value comes from; default: it is not known. */
  readonly file?: string | undefined
  readonly line?: number | undefined
  /** The Application; default: it is not known. */
  readonly application?: string
  /** The waiver that covers it; default: none. */
  readonly waiver?: Finding['waiver'] | undefined
}

/** The findings in one revision of a repository. */
export interface ReportedRun {
  readonly findings: readonly ReportedFinding[]
  /** Default: the files are in a working copy. */
  readonly revision?: { readonly repoUrl: string; readonly sha: string }
}

/** Returns findings as a log of SARIF 2.1.0, with paths from the root of the repository. */
export function sarifLog(runs: readonly ReportedRun[]): JsonObject {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: runs.map(sarifRun),
  }
}

function sarifRun({ findings, revision }: ReportedRun): JsonObject {
  const rules = [...new Set(findings.map(({ rule }) => rule))].toSorted()
  const driver = { name: 'wadi', version: programVersion, rules: rules.map((id) => ({ id })) }
  return {
    tool: { driver },
    ...(revision && {
      versionControlProvenance: [{ repositoryUri: revision.repoUrl, revisionId: revision.sha }],
    }),
    results: findings.map((finding) => result(finding, rules)),
  }
}

function result(finding: ReportedFinding, rules: readonly string[]): JsonObject {
  const { rule, severity, object, field, message, source, file, line, application, waiver } = finding
  const subject = [object, field].filter((part) => part !== '')
  const uri = (file ?? (source || '.')).split('/').map(encodeURIComponent).join('/')
  const physicalLocation = {
    artifactLocation: { uri },
    ...(line !== undefined && { region: { startLine: line } }),
  }
  const owner = application === undefined ? [] : [application]
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: levels[severity] ?? 'none',
    message: { text: `${[...owner, ...subject].join(' ')}: ${message}` },
    locations: [{ physicalLocation, logicalLocations: [{ fullyQualifiedName: subject.join('/') }] }],
    // Lines move; the object and its field say that it is the same finding.
    partialFingerprints: { 'wadiFinding/v1': digest([rule, source, ...owner, ...subject]) },
    ...(waiver && { suppressions: [suppression(waiver)] }),
  }
}

function suppression({ owner, reason, expires }: NonNullable<Finding['waiver']>): JsonObject {
  return { kind: 'inSource', status: 'accepted', justification: `${reason} (${owner}, until ${expires})` }
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
