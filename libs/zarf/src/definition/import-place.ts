import { posix } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { textOf } from './located-tree.ts'
import { pathInRepository, rebase } from './package-files.ts'

/** Returns the folder of a file, empty for the root of the repository. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === '.' ? '' : folder
}

/** Returns a path that is written in `folder` as it is written from the folder above. */
export function rebased(folder: string, path: Located): Located {
  return typeof path.value === 'string' ? { ...path, value: rebase(folder, path.value) } : path
}

/**
 * Returns the path from the root of the repository that an import in a file names.
 *
 * @throws InvalidInputError with the place of the import when it leads out of the repository.
 */
export function importPlace(from: string, source: Located): string {
  try {
    return pathInRepository(folderOf(from), textOf(source))
  } catch (cause) {
    return failedAt(formatLocation(source.at))(cause)
  }
}

/** Puts the place of an import before the message of what went wrong there. */
export function failedAt(at: string): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof Error && !/^\S+:\d+/.test(cause.message) && cause.name !== 'Error') {
      throw new InvalidInputError(`${at}: ${cause.message}`, { cause })
    }
    throw cause
  }
}

/**
 * Refuses to import a file that is being imported.
 *
 * @throws InvalidInputError with the files of the cycle in order.
 */
export function requireNoCycle(stack: readonly string[], file: string, at: string): void {
  const start = stack.indexOf(file)
  if (start >= 0) {
    throw new InvalidInputError(
      `${at}: ${file} is imported in a cycle: ${[...stack.slice(start), file].join(' -> ')}`,
    )
  }
}
