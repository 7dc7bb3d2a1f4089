import { posix } from 'node:path'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { textOf } from './located-tree.ts'
import { pathInRepository, rebase } from './package-files.ts'

/** Returns the directory of a file, empty for the root of the repository. */
export function directoryOf(path: string): string {
  const directory = posix.dirname(path)
  return directory === '.' ? '' : directory
}

/** Returns a path that is written in `directory` as it is written from the directory above. */
export function rebased(directory: string, path: Located): Located {
  return typeof path.value === 'string' ? { ...path, value: rebase(directory, path.value) } : path
}

/**
 * Returns the path from the root of the repository that an import in a file names.
 *
 * @throws InvalidInputError with the place of the import when it leads out of the repository.
 */
export function importPlace(from: string, source: Located): string {
  try {
    return pathInRepository(directoryOf(from), textOf(source))
  } catch (cause) {
    return failedAt(source.at)(cause)
  }
}

/** Adds the place of an import to what went wrong there, unless the error has a line of its own. */
export function failedAt(at: Location): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof DomainError) || cause.at?.line !== undefined) throw cause
    const placed = cause.at === undefined ? cause.with({ at }) : inContext(formatLocation(at), cause)
    throw placed.as(InvalidInputError)
  }
}

/**
 * Refuses to import a file that is being imported.
 *
 * @throws InvalidInputError with the files of the cycle in order.
 */
export function requireNoCycle(stack: readonly string[], file: string, at: Location): void {
  const start = stack.indexOf(file)
  if (start >= 0) {
    throw new InvalidInputError(
      `${file} is imported in a cycle: ${[...stack.slice(start), file].join(' -> ')}`,
      { at },
    )
  }
}
