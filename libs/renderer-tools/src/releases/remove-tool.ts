import { FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { plainVersion, type ToolName } from '@wadi/hydration/tool-versions.ts'
import type { Tools } from '../find-tools.ts'
import { installedText } from '../list-tools.ts'
import { programFile, removeVersion } from './installed-release.ts'

/**
 * Removes a version from a directory.
 * @throws FailedPreconditionError for the one that renders by default, NotFoundError for one that is not in the directory
 */
export async function removeTool(
  tools: Tools,
  {
    name,
    version,
    directory,
  }: { readonly name: ToolName; readonly version: string; readonly directory: string },
): Promise<void> {
  const place = { directory, tool: name, version }
  if (plainVersion(tools[name].version) === version)
    throw new FailedPreconditionError(
      `${name} ${version} is the version that renders by default (${tools[name].command.join(' ')}); choose another one with WADI_${name.toUpperCase()} first`,
    )
  if (fileIdentity(programFile(place)) === undefined)
    throw new NotFoundError(
      `${name} ${version} is not in ${directory}, and nothing else is removed; installed are ${installedText(tools, name)}`,
    )
  await removeVersion(place)
}
