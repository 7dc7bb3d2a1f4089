import { readdir } from 'node:fs/promises'
import path from 'node:path'

const notOurs = new Set(['.cache', '.git', 'coverage', 'dist', 'node_modules'])
const notWritten = new Set(['gen', 'testdata'])

/**
 * Every file of the project below `root`, as relative paths with `/`, in byte order. Installed packages and caches are
 * left out; generated code and test data too, unless `everything` is set.
 */
export async function sourceFiles(root: string, everything = false): Promise<string[]> {
  const found: string[] = []
  const directories = ['']
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    for (const entry of await readdir(path.join(root, directory), { withFileTypes: true })) {
      const name = path.posix.join(directory, entry.name)
      if (entry.isFile()) found.push(name)
      else if (!entry.isDirectory() || notOurs.has(entry.name)) continue
      else if (everything || !notWritten.has(entry.name)) directories.push(name)
    }
  }
  return found.toSorted()
}
