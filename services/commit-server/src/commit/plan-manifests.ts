import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import type { HydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { HydratedDirectory } from './commit-request.ts'
import type { FileChange } from './plan-files.ts'

/**
 * Compares the files with a directory's objects with the tree: what differs is written, and what an earlier hydration wrote
 * and this one does not is removed, so that another layout loses nothing and leaves nothing behind.
 * @param held the record that the tree has of the directory
 * @throws FailedPreconditionError when something of somebody else stands where a directory or file must be
 */
export async function planManifests(
  tree: CommitTree | undefined,
  { path, manifests }: Pick<HydratedDirectory, 'path' | 'manifests'>,
  held: HydratorMetadata | undefined,
): Promise<FileChange[]> {
  const files = manifests.map(({ path: name, content }) => ({ name, path: pathInside(path, name), content }))
  if (!tree) return files.map((file) => ({ path: file.path, content: file.content }))
  if (held === undefined) await assertDirectoryCanBe(tree, path)
  const own = new Set(writtenManifests(path, held))
  const changes: FileChange[] = []
  for (const { name, path: file, content } of files) {
    const entry = await tree.entry(file)
    if (entry?.kind === 'directory') throw occupied(file, entry.kind)
    const isOwn = own.delete(name) || name === hydratedFiles.manifest
    if (entry && (entry.kind === 'file' || entry.kind === 'executable')) {
      if (entry.id === content.id) continue
    }
    if (entry && !isOwn) throw occupied(file, entry.kind)
    changes.push({ path: file, content })
  }
  return [...changes, ...(await removedManifests(tree, path, own))]
}

/** The removal of files with objects that a directory has. */
export async function removedManifests(
  tree: CommitTree,
  path: string,
  names: Iterable<string>,
): Promise<FileChange[]> {
  const removals: FileChange[] = []
  for (const name of names) {
    const file = pathInside(path, name)
    const kind = (await tree.entry(file))?.kind
    if (kind === undefined || kind === 'directory' || kind === 'submodule') continue
    removals.push({ path: file, content: undefined })
  }
  return removals
}

/**
 * The names of the files with objects that Wadi wrote into a directory, by its record: `manifest.yaml` in any layout, as commit-servers
 * of older versions write nothing else. The record of a root where no Application is hydrated is that of the branch.
 */
function writtenManifests(path: string, held: HydratorMetadata | undefined): string[] {
  if (held === undefined || (path === '' && held.applications === undefined)) return []
  return [...new Set([...held.manifests, hydratedFiles.manifest])]
}

/**
 * Checks that a file beside the manifests takes the place of no directory.
 * @throws FailedPreconditionError
 */
export async function assertNoDirectory(tree: CommitTree | undefined, path: string): Promise<void> {
  if ((await tree?.entry(path))?.kind === 'directory') throw occupied(path, 'directory')
}

async function assertDirectoryCanBe(tree: CommitTree, path: string): Promise<void> {
  const parts = path === '' ? [] : path.split('/')
  for (let length = 1; length <= parts.length; length++) {
    const parent = parts.slice(0, length).join('/')
    const entry = await tree.entry(parent)
    if (!entry) return
    if (entry.kind !== 'directory') throw occupied(parent, entry.kind)
  }
}

function occupied(path: string, kind: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `the hydrated branch has a ${kind} at ${path} that Wadi did not write; remove it or choose another syncSource.path`,
  )
}
