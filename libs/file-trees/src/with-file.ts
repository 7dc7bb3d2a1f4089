import { createHash } from 'node:crypto'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { byBytes } from '@wadi/order/by-bytes.ts'
import type { FileEntry, FileTree } from './file-tree.ts'
import { childPath, nameOf, parentPath } from './repository-path.ts'

/**
 * The same tree with a file of another text, whose directory exists; the file itself need not, and `''` is an empty one.
 * The directories above it have other ids, so that nothing that is kept by them is taken for what it is now.
 */
export function withFile(tree: FileTree, path: string, text: string): FileTree {
  const content = Buffer.from(text)
  const entry: FileEntry = { name: nameOf(path), kind: 'file', id: digest(content) }
  const above = new Set<string>()
  for (let directory = path; directory !== ''; above.add(directory)) directory = parentPath(directory)
  const changed = ({ name, kind, id }: FileEntry): FileEntry => {
    return { name, kind, id: digest(JSON.stringify([id, path, entry.id])) }
  }
  return {
    ready: async (paths, maxFilesEach) => tree.ready?.(paths, maxFilesEach),
    entry: async (asked) => {
      if (asked === path) return entry
      const found = await tree.entry(asked)
      return found !== undefined && above.has(asked) ? changed(found) : found
    },
    list: async (asked) => {
      const found = await tree.list(asked)
      if (!above.has(asked)) return found
      if (asked === parentPath(path)) {
        return [...found.filter(({ name }) => name !== entry.name), entry].toSorted((one, other) =>
          byBytes(one.name, other.name),
        )
      }
      return found.map((child) => (above.has(childPath(asked, child.name)) ? changed(child) : child))
    },
    read: async (asked, maxBytes) => {
      if (asked !== path) return await tree.read(asked, maxBytes)
      if (content.length <= maxBytes) return content
      throw new ResourceExhaustedError(`"${path}" would have ${content.length} bytes, more than ${maxBytes}`)
    },
  }
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
