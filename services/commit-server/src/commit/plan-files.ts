import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { filesDirectory, parentDirectories } from '@wadi/hydration/files-directory.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import type { CommitRequest, HydratedDirectory } from './commit-request.ts'

/** A change of a file; undefined content removes it. */
export interface FileChange {
  readonly path: string
  readonly content: CommitContent | undefined
}

/**
 * Compares the top `files` of a directory with the tree: what differs is written, what an earlier hydration wrote and this
 * one does not is removed, and what somebody else put there stays.
 * @param written paths in the top that an earlier hydration wrote
 * @throws FailedPreconditionError when something of somebody else, or another hydrated directory, stands where a file must be
 */
export async function planFiles(
  tree: CommitTree | undefined,
  directory: HydratedDirectory,
  written: readonly string[],
  request: CommitRequest,
): Promise<FileChange[]> {
  const top = pathInside(directory.path, filesDirectory)
  const wanted = new Set(directory.files.map(({ path }) => path))
  const removals = await removedFiles(
    tree,
    directory.path,
    written.filter((path) => !wanted.has(path)),
  )
  const removed = new Set(removals.map(({ path }) => path))
  const own = new Set(written)
  const changes: FileChange[] = [...removals]
  const open = new Set<string>()
  for (const { path, content } of directory.files) {
    for (const parent of [top, ...parentDirectories(path).map((inner) => `${top}/${inner}`)]) {
      if (open.has(parent)) continue
      await assertDirectory(tree, parent, removed, request)
      open.add(parent)
    }
    const file = `${top}/${path}`
    const entry = await tree?.entry(file)
    const isFile = entry?.kind === 'file' || entry?.kind === 'executable'
    if (isFile && entry.id === content.id) continue
    if (tree && entry?.kind === 'directory' && !(await isEmptied(tree, file, removed))) {
      throw occupied(file, entry.kind)
    }
    if (entry && entry.kind !== 'directory' && !own.has(path)) throw occupied(file, entry.kind)
    changes.push({ path: file, content })
  }
  return changes
}

/**
 * The removal of files that the directory `files` of a directory has; directories of these names stay, and so does all of a
 * directory that is hydrated by itself: another Application has come there since.
 */
export async function removedFiles(
  tree: CommitTree | undefined,
  directory: string,
  paths: readonly string[],
): Promise<FileChange[]> {
  const top = pathInside(directory, filesDirectory)
  const removals: FileChange[] = []
  for (const inner of paths) {
    const path = `${top}/${inner}`
    const directories = [top, ...parentDirectories(inner).map((each) => `${top}/${each}`)]
    if (await holdsMetadata(tree, directories)) continue
    const kind = (await tree?.entry(path))?.kind
    if (kind === 'file' || kind === 'executable' || kind === 'symlink') {
      removals.push({ path, content: undefined })
    }
  }
  return removals
}

async function holdsMetadata(tree: CommitTree | undefined, directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    if ((await tree?.entry(pathInside(directory, hydratedFiles.metadata))) !== undefined) return true
  }
  return false
}

/** To write below a file or symlink would put a directory in its place. */
async function assertDirectory(
  tree: CommitTree | undefined,
  directory: string,
  removed: ReadonlySet<string>,
  { directories, removedPaths }: CommitRequest,
): Promise<void> {
  const kind = (await tree?.entry(directory))?.kind
  if (kind !== undefined && kind !== 'directory' && !removed.has(directory)) throw occupied(directory, kind)
  const isHydrated =
    directories.some(({ path }) => path === directory) ||
    (kind === 'directory' && !removedPaths.includes(directory) && (await holdsMetadata(tree, [directory])))
  if (!isHydrated) return
  throw new FailedPreconditionError(
    `${directory} is the directory of another Application, and files of the Application above it go there too; choose another syncSource.path for one of them`,
  )
}

/** Returns true if nothing of a directory remains. */
async function isEmptied(tree: CommitTree, path: string, removed: ReadonlySet<string>): Promise<boolean> {
  for (const { name, kind } of await tree.list(path)) {
    const inner = `${path}/${name}`
    if (kind === 'directory' ? !(await isEmptied(tree, inner, removed)) : !removed.has(inner)) return false
  }
  return true
}

function occupied(path: string, kind: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `the hydrated branch has a ${kind} at ${path} that Wadi did not write; remove it or give the file another target`,
  )
}
