import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/**
 * The directory of an application below the root of its files, symbolic links resolved.
 * @param root without symbolic links
 * @throws InvalidInputError when it is outside or no directory
 */
export function applicationDirectory(root: string, relative: string): string {
  const shown = JSON.stringify(relative)
  const outside = new InvalidInputError(`illegal appPath: ${shown} is out of the archive`)
  if (relative.includes('\0') || path.isAbsolute(relative)) throw outside
  const directory = path.resolve(root, relative)
  if (!isWithin(root, directory)) throw outside
  const resolved = resolvedDirectory(directory)
  if (resolved === undefined) {
    throw new InvalidInputError(`the archive has no directory ${shown} for the application`)
  }
  if (!isWithin(root, resolved)) throw outside
  return resolved
}

/** The directory without symbolic links; undefined when there is none. */
function resolvedDirectory(directory: string): string | undefined {
  try {
    const resolved = realpathSync(directory)
    return statSync(resolved).isDirectory() ? resolved : undefined
  } catch {
    return undefined
  }
}

function isWithin(root: string, directory: string): boolean {
  return directory === root || directory.startsWith(`${root}/`)
}
