import { createHash } from 'node:crypto'
import { NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { byCodeUnits } from '@wadi/order/by-name.ts'
import type { FileEntry, FileTree } from './file-tree.ts'

/** A repository whose files are in memory, by their paths; it has no links. */
export function memoryTree(files: ReadonlyMap<string, Buffer>): FileTree {
  const entries = new Map<string, FileEntry>()
  const children = new Map<string, FileEntry[]>()
  const add = (path: string, kind: FileEntry['kind'], id: string): void => {
    const slash = path.lastIndexOf('/')
    const entry = { name: path.slice(slash + 1), kind, id }
    entries.set(path, entry)
    if (path !== '') children.getOrInsert(slash < 0 ? '' : path.slice(0, slash), []).push(entry)
  }
  const directories = new Set<string>()
  for (const [path, bytes] of files) {
    add(path, 'file', digest(bytes))
    const parts = path.split('/')
    for (const [index] of parts.entries()) directories.add(parts.slice(0, index).join('/'))
  }
  // The longest first: the identity of a directory is made of those of what it holds.
  for (const path of [...directories].toSorted((a, b) => depthOf(b) - depthOf(a) || byCodeUnits(a, b))) {
    const held = (children.get(path) ?? []).toSorted((a, b) => byCodeUnits(a.name, b.name))
    children.set(path, held)
    add(path, 'directory', digest(held.map(({ name, kind, id }) => `${kind} ${id} ${name}\0`).join('')))
  }
  return {
    entry: async (path) => entries.get(path),
    async list(path) {
      if (entries.get(path)?.kind !== 'directory') throw new NotFoundError(`${path} is not a directory`)
      return children.get(path) ?? []
    },
    async read(path, maxBytes) {
      const bytes = files.get(path)
      if (!bytes) throw new NotFoundError(`${path} is not a file`)
      if (bytes.length > maxBytes)
        throw new ResourceExhaustedError(`${path} is larger than ${maxBytes} bytes`)
      return bytes
    },
  }
}

function depthOf(path: string): number {
  return path === '' ? 0 : path.split('/').length
}

function digest(content: Buffer | string): string {
  return createHash('sha1').update(content).digest('hex')
}
