import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The nearest directory with a repository among a directory and its parents, else the directory itself. A submodule belongs to the repository that
 * it is in: to a server its files are not there.
 */
export function nearestRepository(directory: string): string {
  for (let candidate = directory; ; candidate = dirname(candidate)) {
    if (existsSync(join(candidate, '.git')) && !isSubmodule(candidate)) return candidate
    if (candidate === dirname(candidate)) return directory
  }
}

function isSubmodule(directory: string): boolean {
  const file = join(directory, '.git')
  return statSync(file).isFile() && /^gitdir: .*[/]modules[/]/.test(readFileSync(file, 'utf8'))
}
