import { DomainError } from '@wadi/errors/domain-error.ts'
import type { Finding } from './finding.ts'
import { openPackage } from '../definition/open-package.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import { planOpenPackage } from '../plan/plan-package.ts'
import type { PlanOptions } from '../plan/plan-package.ts'

/**
 * Returns everything that is wrong with a package, and what Zarf itself would refuse, in one run: paths, patterns, the
 * schema, templates, references. All components are looked at, whether they are selected or not.
 */
export async function lintPackage(
  files: PackageFiles,
  folder: string,
  options: PlanOptions = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  try {
    const opened = await openPackage(files, folder, options.flavor, findings)
    await planOpenPackage(files, opened, options, findings, (components) => components)
  } catch (cause) {
    if (!(cause instanceof DomainError) || cause.retryable) {
      throw cause
    }
    findings.push(...linesOf(cause.message))
  }
  return findings
}

const locatedMessage = /^(\S[^:\n]*):(\d+)(?::(\d+))?: /

/** Returns an error of several lines as a finding for each line that has a place. */
function linesOf(message: string): Finding[] {
  const lines = message.split('\n')
  const located = lines.filter((line) => locatedMessage.test(line))
  if (located.length === 0 || (located.length < lines.length - 1 && !locatedMessage.test(lines[0] ?? ''))) {
    return [{ severity: 'error', message }]
  }
  return located.map((line) => {
    const [start = '', file = '', lineText = '', column] = locatedMessage.exec(line) ?? []
    const at = { file, line: Number(lineText), ...(column === undefined ? {} : { column: Number(column) }) }
    return { severity: 'error', message: line.slice(start.length), at }
  })
}
