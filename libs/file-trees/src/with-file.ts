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
  return withFiles(tree, new Map([[path, Buffer.from(text)]]))
}

/** The same with several files. */
export function withFiles(tree: FileTree, contents: ReadonlyMap<string, Buffer>): FileTree {
  const entries = new Map<string, FileEntry>()
  const added = new Map<string, FileEntry[]>()
  const above = new Set<string>()
  for (const [path, content] of contents) {
    const entry: FileEntry = { name: nameOf(path), kind: 'file', id: digest(content) }
    entries.set(path, entry)
    added.getOrInsertComputed(parentPath(path), () => []).push(entry)
    for (let directory = path; directory !== ''; above.add(directory)) directory = parentPath(directory)
  }
  const whole = digest(JSON.stringify([...entries].map(([path, { id }]) => [path, id])))
  const changed = ({ name, kind, id }: FileEntry): FileEntry => {
    return { name, kind, id: digest(JSON.stringify([id, whole])) }
  }
  return {
    ready: async (paths, maxFilesEach) => tree.ready?.(paths, maxFilesEach),
    entry: async (asked) => {
      const entry = entries.get(asked)
      if (entry) return entry
      const found = await tree.entry(asked)
      return found !== undefined && above.has(asked) ? changed(found) : found
    },
    list: async (asked) => {
      const found = await tree.list(asked)
      if (!above.has(asked)) return found
      const own = added.get(asked) ?? []
      return [
        ...found
          .filter(({ name }) => !entries.has(childPath(asked, name)))
          .map((child) => (above.has(childPath(asked, child.name)) ? changed(child) : child)),
        ...own,
      ].toSorted((one, other) => byBytes(one.name, other.name))
    },
    read: async (asked, maxBytes) => {
      const content = contents.get(asked)
      if (content === undefined) return await tree.read(asked, maxBytes)
      if (content.length <= maxBytes) return content
      throw new ResourceExhaustedError(`"${asked}" would have ${content.length} bytes, more than ${maxBytes}`)
    },
  }
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
