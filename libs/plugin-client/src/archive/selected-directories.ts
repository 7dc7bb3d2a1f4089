import { byName } from '@wadi/order/by-name.ts'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { treePathError } from '@wadi/git/objects/tree-path.ts'
import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'
import type { LeftOutPaths } from '@wadi/plugins/left-out-paths.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'

/** A directory of an archive with the entries directly in it. */
export interface SelectedDirectory {
  /** `''` is the root. */
  readonly path: string
  /** Sorted by name; directories are directories of their own. */
  readonly entries: readonly FileEntry[]
}

interface Selection {
  isWhole: boolean
  readonly below: Map<string, Selection>
}

/**
 * The directories that hold the inputs, the root first and each before what is below it. Only the inputs and the way to
 * them are looked at; an input that does not exist is left out, and so is what `leftOut` has.
 * @throws InvalidInputError for a name that no working copy could have, ResourceExhaustedError above `maxEntries`
 */
export async function selectedDirectories(
  tree: FileTree,
  inputs: readonly string[],
  maxEntries: number,
  leftOut: LeftOutPaths,
): Promise<SelectedDirectory[]> {
  const directories: SelectedDirectory[] = []
  let count = 1
  const visit = async (path: string, selection: Selection): Promise<void> => {
    const all = selection.isWhole ? await tree.list(path) : await namedEntries(tree, path, selection)
    const found = all.filter(({ name }) => !leftOut.has(childPath(path, name)))
    count += found.length
    if (count > maxEntries) {
      throw new ResourceExhaustedError(
        `a plugin would get more than ${maxEntries} files; name those that it needs in the annotation argocd.argoproj.io/manifest-generate-paths`,
      )
    }
    for (const { name } of found) assertName(path, name)
    const sorted = found.toSorted(byName)
    directories.push({ path, entries: sorted.filter(({ kind }) => kind !== 'directory') })
    for (const { name, kind } of sorted) {
      const below = selection.isWhole ? selection : selection.below.get(name)
      if (kind === 'directory' && below !== undefined) await visit(childPath(path, name), below)
    }
  }
  await visit('', selectionOf(inputs))
  return directories
}

function selectionOf(inputs: readonly string[]): Selection {
  const root: Selection = { isWhole: false, below: new Map() }
  for (const input of inputs) {
    let selection = root
    for (const name of input === '' ? [] : input.split('/')) {
      const below = selection.below.get(name) ?? { isWhole: false, below: new Map() }
      selection.below.set(name, below)
      selection = below
    }
    selection.isWhole = true
  }
  return root
}

async function namedEntries(tree: FileTree, path: string, { below }: Selection): Promise<FileEntry[]> {
  const entries = await Promise.all([...below.keys()].map((name) => tree.entry(childPath(path, name))))
  return entries.filter((entry) => entry !== undefined)
}

/** Git keeps whatever a tree object says; what git itself would refuse to check out is refused here. */
function assertName(directory: string, name: string): void {
  const path = childPath(directory, name)
  const reason = name.includes('/') ? 'has a name with a slash' : (treePathError(name) ?? treePathError(path))
  if (reason === undefined) return
  throw new InvalidInputError(
    `${JSON.stringify(path.slice(0, 300))} cannot be given to a plugin: it ${reason}`,
  )
}
