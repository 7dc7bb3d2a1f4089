import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { ListDirectory } from '@wadi/plugins/discovery/matches-rule.ts'

/**
 * Lists the directories below an application's directory. A directory behind a symbolic link is treated as one when it is listed by
 * its name and lies in `root`, and never as one to search through.
 */
export function directoryLister(root: string, directory: string): ListDirectory {
  return async (inner) => {
    const found = await realpath(path.join(directory, inner)).catch(() => undefined)
    if (found === undefined || !(found === root || found.startsWith(`${root}/`))) return undefined
    try {
      const entries = await readdir(found, { withFileTypes: true })
      return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
      throw error
    }
  }
}
