import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/**
 * The file of a program that is named without a slash; undefined when no folder has it. A look takes microseconds, a turn
 * of the thread pool for each folder would take longer than the start of the program.
 */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  if (name === '' || name === '.' || name === '..') return undefined
  for (const folder of folders) {
    const file = path.join(folder, name)
    if (isExecutable(file)) return file
  }
  return undefined
}

/** The absolute folders of a `PATH`. */
export function pathFolders(searchPath: string | undefined): string[] {
  return (searchPath ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.resolve(folder))
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
