import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/**
 * The folder of an application below the root of its files, symbolic links resolved.
 * @param root without symbolic links
 * @throws InvalidInputError when it is outside or no folder
 */
export function applicationFolder(root: string, relative: string): string {
  const shown = JSON.stringify(relative)
  const outside = new InvalidInputError(`illegal appPath: ${shown} is out of the archive`)
  if (relative.includes('\0') || path.isAbsolute(relative)) throw outside
  const folder = path.resolve(root, relative)
  if (!isWithin(root, folder)) throw outside
  const resolved = resolvedFolder(folder)
  if (resolved === undefined) {
    throw new InvalidInputError(`the archive has no directory ${shown} for the application`)
  }
  if (!isWithin(root, resolved)) throw outside
  return resolved
}

/** The folder without symbolic links; undefined when there is none. */
function resolvedFolder(folder: string): string | undefined {
  try {
    const resolved = realpathSync(folder)
    return statSync(resolved).isDirectory() ? resolved : undefined
  } catch {
    return undefined
  }
}

function isWithin(root: string, folder: string): boolean {
  return folder === root || folder.startsWith(`${root}/`)
}
