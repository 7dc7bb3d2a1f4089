import { type Finding, findingsOf } from './finding.ts'
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
  directory: string,
  options: PlanOptions = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  try {
    const opened = await openPackage(files, directory, options.flavor, findings)
    await planOpenPackage(files, opened, options, findings, (components) => components)
  } catch (cause) {
    findings.push(...findingsOf(cause))
  }
  return findings
}
