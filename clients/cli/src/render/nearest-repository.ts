import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest folder with `.git` among a folder and its parents, else the folder itself. */
export function nearestRepository(folder: string): string {
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (existsSync(join(candidate, '.git'))) return candidate
    if (candidate === dirname(candidate)) return folder
  }
}
