import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/**
 * The folders in which programs are looked up by their names: those of the service's own PATH and then the plugin's, so
 * that a plugin can bring its program along. The PATH of a command's environment is not to decide what runs.
 */
export function programFolders(servicePath: string | undefined, pluginFolder: string | undefined): string[] {
  const folders = (servicePath ?? '').split(path.delimiter)
  return [...folders, ...(pluginFolder === undefined ? [] : [pluginFolder])].filter((folder) =>
    path.isAbsolute(folder),
  )
}

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

function isExecutable(file: string): boolean {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
