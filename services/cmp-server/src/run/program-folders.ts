import path from 'node:path'
import { pathFolders } from '@wadi/containment/find-program.ts'

/**
 * The folders in which programs are looked up by their names: those of the service's own PATH and then the plugin's, so
 * that a plugin can bring its program along. The PATH of a command's environment is not to decide what runs.
 */
export function programFolders(servicePath: string | undefined, pluginFolder: string | undefined): string[] {
  const folders = pluginFolder === undefined ? [] : [pluginFolder]
  return [...pathFolders(servicePath), ...folders.filter((folder) => path.isAbsolute(folder))]
}
