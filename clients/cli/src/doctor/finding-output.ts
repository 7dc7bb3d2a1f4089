import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import { printable } from '../output/printable.ts'

/** The finding of a server, whose words may be those of a later version. */
export type ShownFinding = Record<keyof Finding, string>

const severities = ['error', 'warning', 'info']

/** Sorts findings, errors first; equal ones of several replicas are one. */
export function sortedFindings(findings: readonly ShownFinding[]): ShownFinding[] {
  const unique = new Map(findings.map((finding) => [JSON.stringify(finding), finding]))
  return [...unique.values()].toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  )
}

/** Returns findings for people, each with what fixes it. */
export function findingText(findings: readonly ShownFinding[]): string {
  if (findings.length === 0) return 'Nothing wrong was found.\n'
  return findings
    .map(({ severity, area, message, remedy }) => {
      const fix = remedy === '' ? '' : `  fix: ${printable(remedy)}\n`
      return `${printable(`${severity}: ${area}: ${message}`)}\n${fix}`
    })
    .join('')
}

/** True if something is wrong, and not only odd. */
export function isAnythingWrong(findings: readonly Pick<ShownFinding, 'severity'>[]): boolean {
  return findings.some(({ severity }) => severity !== 'info')
}
