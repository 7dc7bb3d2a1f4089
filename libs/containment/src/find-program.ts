import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/**
 * The file of a program that is named without a slash; undefined when no directory has it. A search takes microseconds, a turn
 * of the thread pool for each directory would take longer than the start of the program.
 */
export function findProgram(name: string, directories: readonly string[]): string | undefined {
  if (name === '' || name === '.' || name === '..') return undefined
  for (const directory of directories) {
    const file = path.join(directory, name)
    if (isExecutable(file)) return file
  }
  return undefined
}

/** The absolute directories of a `PATH`. */
export function pathDirectories(searchPath: string | undefined): string[] {
  return (searchPath ?? '')
    .split(path.delimiter)
    .filter((directory) => path.isAbsolute(directory))
    .map((directory) => path.resolve(directory))
}

function isExecutable(file: string): boolean {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
