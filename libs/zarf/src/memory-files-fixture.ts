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
    list: async (folder) => {
      const start = folder === '' ? '' : `${folder}/`
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

/** Reads a folder of the disk into memory; its paths are from the folder above it. */
export function filesOnDisk(folder: string, root = join(folder, '..')): PackageFiles {
  const content: Record<string, Uint8Array> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (statSync(path).isFile()) {
      content[relative(root, path)] = readFileSync(path)
    }
  }
  return memoryFiles(content)
}
