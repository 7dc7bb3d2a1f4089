import { createHash } from 'node:crypto'
import { NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileEntry, FileTree } from './file-tree.ts'

/** A repository whose files are in memory; it has no links. */
export function memoryTree(files: ReadonlyMap<string, Buffer>): FileTree {
  const entryOf = (path: string): FileEntry | undefined => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const bytes = files.get(path)
    if (bytes) return { name, kind: 'file', id: digest(bytes) }
    const below = [...files].filter(([file]) => path === '' || file.startsWith(`${path}/`))
    if (below.length === 0) return undefined
    return { name, kind: 'directory', id: digest(Buffer.concat(below.map(([, content]) => content))) }
  }
  return {
    entry: async (path) => entryOf(path),
    async list(path) {
      if (entryOf(path)?.kind !== 'directory') throw new NotFoundError(`${path} is not a directory`)
      const prefix = path === '' ? '' : `${path}/`
      const names = [...files.keys()]
        .filter((file) => file.startsWith(prefix))
        .map((file) => file.slice(prefix.length).split('/', 1).join(''))
      return [...new Set(names)].toSorted().flatMap((name) => entryOf(`${prefix}${name}`) ?? [])
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

function digest(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex')
}
