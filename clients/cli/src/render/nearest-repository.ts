import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The nearest folder with a repository among a folder and its parents, else the folder itself. A submodule belongs to the repository that
 * it is in: to a server its files are not there.
 */
export function nearestRepository(folder: string): string {
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (existsSync(join(candidate, '.git')) && !isSubmodule(candidate)) return candidate
    if (candidate === dirname(candidate)) return folder
  }
}

function isSubmodule(folder: string): boolean {
  const file = join(folder, '.git')
  return statSync(file).isFile() && /^gitdir: .*[/]modules[/]/.test(readFileSync(file, 'utf8'))
}
