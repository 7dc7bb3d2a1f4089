import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import { besideRepository, rootOf } from './repository-path.ts'

/**
 * The files of a source with those of other sources beside the repository, see `besideRepository`. No listing shows them, so that
 * only who names one reads it.
 * @param sources by the names that they have for the source
 */
export function treeWithSources(tree: FileTree, sources: ReadonlyMap<string, FileTree>): FileTree {
  const byRoot = new Map([...sources].map(([ref, files]) => [besideRepository(ref), files]))
  const place = (path: string): { files: FileTree; inside: string } | undefined => {
    const root = rootOf(path)
    if (root === '') return { files: tree, inside: path }
    const files = byRoot.get(root)
    return files && { files, inside: path.slice(root.length + 1) }
  }
  const require = (path: string): { files: FileTree; inside: string } => {
    const found = place(path)
    if (found === undefined) throw new NotFoundError(`"${path}" is of no source`)
    return found
  }
  return {
    beside: [...byRoot.keys()],
    entry: async (path) => {
      const found = place(path)
      return found && (await found.files.entry(found.inside))
    },
    async list(path) {
      const { files, inside } = require(path)
      return files.list(inside)
    },
    async read(path, maxBytes) {
      const { files, inside } = require(path)
      return files.read(inside, maxBytes)
    },
    async ready(paths, maxFilesEach) {
      const places = paths.flatMap((path) => place(path) ?? [])
      for (const files of new Set(places.map((found) => found.files))) {
        const own = places.filter((found) => found.files === files)
        await files.ready?.(
          own.map(({ inside }) => inside),
          maxFilesEach,
        )
      }
    },
  }
}
