import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { ToolChanges } from './tool-changes.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { blobId } from './blob-id.ts'
import type { CommitRequest, HydratedDirectory } from './commit-request.ts'
import { type HydratorMetadata, readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { heldMetadata } from '../branch/held-metadata.ts'
import { type FileChange, planFiles, removedFiles } from './plan-files.ts'

/** What a commit does to the branch's tree. */
export interface PlannedChanges {
  /** Content to write; undefined removes the file. */
  files: { path: string; content: Buffer | string | undefined }[]
  /** Directories whose manifest.yaml, files or Applications change, come or go. */
  changedPaths: string[]
  /** Trailers that name which tools changed for directories that change. */
  trailers: string[]
}

/** Content by path; undefined removes the file. What one directory writes wins over what another removes. */
type Changes = Map<string, Buffer | string | undefined>

/**
 * Compares a request with the tree that it is to be built on, by object ids and only on the paths that it names. A
 * directory is changed when its manifest.yaml, its files or its Applications change; README and metadata are then written
 * too. Foreign files stay.
 * @throws FailedPreconditionError when a file of somebody else stands where a directory or file must be.
 */
export async function planChanges(
  tree: CommitTree | undefined,
  request: CommitRequest,
): Promise<PlannedChanges> {
  const changes: Changes = new Map()
  const changedPaths: string[] = []
  const toolChanges = new ToolChanges()
  const written = new Set<string>()
  for (const directory of request.directories) {
    const { path, manifest, readme, metadata } = directory
    written.add(path)
    const held = tree && (await heldMetadata(tree, path))
    const files = await planFiles(tree, directory, held?.files ?? [], request)
    if (files.length === 0 && tree && (await holds(tree, directory, held))) continue
    changedPaths.push(path)
    toolChanges.add(held, readHydratorMetadata(metadata))
    changes.set(pathInside(path, hydratedFiles.manifest), manifest)
    if (readme !== '') changes.set(pathInside(path, hydratedFiles.readme), readme)
    if (metadata !== '') changes.set(pathInside(path, hydratedFiles.metadata), metadata)
    for (const file of files) change(changes, file)
  }
  for (const path of request.removedPaths) {
    if (tree && !written.has(path) && (await planRemoval(tree, path, changes))) changedPaths.push(path)
  }
  const { metadata } = request.header
  if (changedPaths.length > 0 && metadata !== '' && !changes.has(hydratedFiles.metadata)) {
    changes.set(hydratedFiles.metadata, metadata)
  }
  return {
    files: Array.from(changes, ([path, content]) => ({ path, content })),
    changedPaths,
    trailers: toolChanges.trailers(),
  }
}

function change(changes: Changes, { path, content }: FileChange): void {
  if (content !== undefined || !changes.has(path)) changes.set(path, content)
}

/** Whether the tree has a directory's manifests already, and the README that goes with them names its Applications. */
async function holds(
  tree: CommitTree,
  directory: HydratedDirectory,
  held: HydratorMetadata | undefined,
): Promise<boolean> {
  return (await holdsManifest(tree, directory)) && agrees(held, readHydratorMetadata(directory.metadata))
}

/** Whether a record names the Applications and files that another does. One that names no Applications, as Argo CD's, is left as it is. */
function agrees(held: HydratorMetadata | undefined, wanted: HydratorMetadata): boolean {
  const { applications, files } = held ?? { files: [] }
  if (applications !== undefined && wanted.applications !== undefined) {
    if (applications !== wanted.applications) return false
  }
  return files.length === wanted.files.length && new Set([...files, ...wanted.files]).size === files.length
}

async function holdsManifest(tree: CommitTree, { path, manifest }: HydratedDirectory): Promise<boolean> {
  const entry = await tree.entry(pathInside(path, hydratedFiles.manifest))
  if (!entry) {
    await assertDirectoryCanBe(tree, path)
    return false
  }
  if (entry.kind === 'directory') throw occupied(pathInside(path, hydratedFiles.manifest), 'directory')
  return (
    (entry.kind === 'file' || entry.kind === 'executable') && entry.id === blobId(manifest, entry.id.length)
  )
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

/** Plans to remove Wadi's own files of a directory; returns whether there are any. */
async function planRemoval(tree: CommitTree, path: string, changes: Changes): Promise<boolean> {
  if (!(await tree.entry(pathInside(path, hydratedFiles.metadata)))) return false
  const { files } = (await heldMetadata(tree, path)) ?? { files: [] }
  for (const removal of await removedFiles(tree, path, files)) change(changes, removal)
  for (const name of Object.values(hydratedFiles)) {
    if (path === '' && name === hydratedFiles.metadata) continue
    const file = pathInside(path, name)
    if (await tree.entry(file)) change(changes, { path: file, content: undefined })
  }
  return true
}
