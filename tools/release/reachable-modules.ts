import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { workspacesOf } from '../workspace.ts'
import { javascriptFile, stripModule } from './strip-module.ts'

interface ReachableModules {
  /** Their JavaScript, by file. */
  readonly modules: ReadonlyMap<string, string>
  /** The files of data that they import. */
  readonly data: readonly string[]
  /** The names of the packages of others that they load. */
  readonly packages: ReadonlySet<string>
}

/** Returns the entries and every module of the repository that they may load, without types. */
export async function reachableModules(
  root: string,
  files: readonly string[],
  entries: readonly string[],
): Promise<ReachableModules> {
  const workspaces = workspacesOf(files)
  const modules = new Map<string, string>()
  const packages = new Set<string>()
  const found = new Set(entries)
  for (const file of found) {
    if (!file.endsWith('.ts')) continue
    const module = stripModule(file, await readFile(path.join(root, file), 'utf8'), workspaces)
    modules.set(javascriptFile(file), module.text)
    for (const name of module.packages) packages.add(name)
    for (const own of module.files) found.add(own)
  }
  return { modules, data: [...found].filter((file) => !file.endsWith('.ts')), packages }
}
