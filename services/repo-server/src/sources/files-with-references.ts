import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { treeWithSources } from '@wadi/file-trees/sources-tree.ts'
import { LRUCache } from 'lru-cache'
import type { DryFiles, FilesRequest, OpenedFiles } from './dry-files.ts'

/** The most sources that one request may read files of. */
const maxReferenced = 20

const maxOpenTrees = 32

/** The files of revisions with those of the other sources that a request names, each verified for itself. */
export function filesWithReferences(files: DryFiles): DryFiles {
  const trees = new ReferencingTrees()
  return {
    async use(request, signal, task) {
      const { referenced = [], project, ...own } = request
      checkReferences(referenced)
      const opened = new Map<string, OpenedFiles>()
      const usingAll = referenced.reduceRight(
        (inner, { ref, repoUrl, sha, verification }) =>
          () =>
            files.use({ repoUrl, project, sha, verification }, signal, (beside) => {
              opened.set(ref, beside)
              return inner()
            }),
        () =>
          files.use({ ...own, project }, signal, async (main) =>
            task({ tree: await trees.join(main.tree, opened), repair: repairOf([main, ...opened.values()]) }),
          ),
      )
      return usingAll()
    },
  }
}

function repairOf(all: readonly OpenedFiles[]): OpenedFiles['repair'] {
  return async (error) => {
    for (const { repair } of all) await repair(error)
  }
}

/** @throws InvalidInputError for more than 20, a name that cannot be one or that two have */
function checkReferences(referenced: NonNullable<FilesRequest['referenced']>): void {
  if (referenced.length > maxReferenced) {
    throw new InvalidInputError(`${referenced.length} referenced sources are more than ${maxReferenced}`)
  }
  const names = new Set<string>()
  for (const { ref } of referenced) {
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(ref) || names.has(ref)) {
      throw new InvalidInputError(
        `ref ${JSON.stringify(ref.slice(0, 200))} must be a name that no other source has`,
      )
    }
    names.add(ref)
  }
}

/** The same object for the same files, as what is remembered of inspections is found by it. */
class ReferencingTrees {
  readonly #joined = new WeakMap<FileTree, LRUCache<string, FileTree>>()

  async join(tree: FileTree, opened: ReadonlyMap<string, OpenedFiles>): Promise<FileTree> {
    if (opened.size === 0) return tree
    const sources = new Map([...opened].map(([ref, files]) => [ref, files.tree]))
    const ids = [...sources].map(async ([ref, files]) => [ref, (await files.entry(''))?.id ?? ''])
    const key = JSON.stringify(await Promise.all(ids))
    let joined = this.#joined.get(tree)
    if (!joined) this.#joined.set(tree, (joined = new LRUCache({ max: maxOpenTrees })))
    const known = joined.get(key)
    if (known) return known
    const made = treeWithSources(tree, sources)
    joined.set(key, made)
    return made
  }
}
