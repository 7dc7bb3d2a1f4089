import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { PackageFiles } from './definition/package-files.ts'

/** Files that are held in memory, by their paths. */
export function memoryFiles(content: Readonly<Record<string, string | Uint8Array>>): PackageFiles {
  const files = new Map(Object.entries(content))
  return {
    read: async (path) => {
      const found = files.get(path)
      return typeof found === 'string' ? Buffer.from(found) : found
    },
    list: async (directory) => {
      const start = directory === '' ? '' : `${directory}/`
      const names = new Map<string, boolean>()
      for (const path of files.keys()) {
        if (path.startsWith(start)) {
          const [name = '', ...deeper] = path.slice(start.length).split('/')
          names.set(name, deeper.length > 0)
        }
      }
      return names.size === 0 ? undefined : [...names].map(([name, isDirectory]) => ({ name, isDirectory }))
    },
  }
}

/** Reads a directory of the disk into memory; its paths are from the directory above it. */
export function filesOnDisk(directory: string, root = join(directory, '..')): PackageFiles {
  const content: Record<string, Uint8Array> = {}
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name)
    if (statSync(path).isFile()) {
      content[relative(root, path)] = readFileSync(path)
    }
  }
  return memoryFiles(content)
}
