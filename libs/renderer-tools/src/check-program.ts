import { join } from 'node:path'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { plainVersion, type ToolName } from '@wadi/hydration/tool-versions.ts'
import { ProgramVersions } from './program-versions.ts'
import { usableProgram } from './usable-program.ts'

/**
 * Asks a program for its version.
 * @param cacheDirectory where known versions are kept
 * @throws FailedPreconditionError for one that cannot be used or is another version, with the reason
 */
export async function checkProgram(
  tool: ToolName,
  version: string,
  program: string,
  cacheDirectory: string,
): Promise<void> {
  const versions = new ProgramVersions(join(cacheDirectory, 'tool-versions.json'), undefined)
  const { found, reason } = await usableProgram(tool, program, versions)
  if (!found) throw new FailedPreconditionError(reason)
  if (plainVersion(found.version) === version) return
  throw new FailedPreconditionError(`the program is ${tool} ${found.version} and not ${version}`)
}
