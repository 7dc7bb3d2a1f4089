import { createHash } from 'node:crypto'
import type { JsonObject } from '@bufbuild/protobuf'
import { objectName, type Severity } from '@wadi/gates/finding.ts'
import { programVersion } from '../command-line/program-version.ts'
import type { SourceFinding } from './finding-output.ts'

const levels: Record<Severity, string> = { deny: 'error', warn: 'warning', audit: 'note' }

/** Returns findings as a log of SARIF 2.1.0, with paths from the root of the repository. */
export function sarifLog(findings: readonly SourceFinding[]): JsonObject {
  const rules = [...new Set(findings.map(({ rule }) => rule))].toSorted()
  const driver = { name: 'wadi', version: programVersion, rules: rules.map((id) => ({ id })) }
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, results: findings.map((finding) => result(finding, rules)) }],
  }
}

function result(finding: SourceFinding, rules: readonly string[]): JsonObject {
  const { rule, severity, field, message, source, at } = finding
  const subject = [objectName(finding), field].filter((part) => part !== '')
  const uri = (at?.file ?? (source || '.')).split('/').map(encodeURIComponent).join('/')
  const physicalLocation = {
    artifactLocation: { uri },
    ...(at?.line !== undefined && { region: { startLine: at.line } }),
  }
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: levels[severity],
    message: { text: `${subject.join(' ')}: ${message}` },
    locations: [{ physicalLocation, logicalLocations: [{ fullyQualifiedName: subject.join('/') }] }],
    // Lines move; the object and its field say that it is the same finding.
    partialFingerprints: { 'wadiFinding/v1': digest([rule, source, ...subject]) },
  }
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
