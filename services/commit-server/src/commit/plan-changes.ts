import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { CommitTree } from '@wadi/git/commit-tree.ts'
import { hydratedFiles, pathInside } from '../branch/hydrated-files.ts'
import { blobId } from './blob-id.ts'
import type { CommitRequest, HydratedDirectory } from './commit-request.ts'

/** What a commit does to the branch's tree. */
export interface PlannedChanges {
  /** Content to write; undefined removes the file. */
  files: { path: string; content: Buffer | string | undefined }[]
  /** Directories whose manifest.yaml changes, comes or goes. */
  changedPaths: string[]
}

const maxMetadataBytes = 4 * 1024 * 1024

/**
 * Compares a request with the tree that it is to be built on, by object ids and only on the paths that it names. A
 * directory counts as changed when its manifest.yaml or its Applications do; README and metadata are then written too. Foreign
 * files stay.
 * @throws FailedPreconditionError when a file of somebody else stands where a directory must be.
 */
export async function planChanges(
  tree: CommitTree | undefined,
  request: CommitRequest,
): Promise<PlannedChanges> {
  const plan: PlannedChanges = { files: [], changedPaths: [] }
  const written = new Set<string>()
  for (const directory of request.directories) {
    written.add(directory.path)
    if (tree && (await holds(tree, directory))) continue
    const { path } = directory
    plan.changedPaths.push(path)
    plan.files.push({ path: pathInside(path, hydratedFiles.manifest), content: directory.manifest })
    if (directory.readme !== '')
      plan.files.push({ path: pathInside(path, hydratedFiles.readme), content: directory.readme })
    if (directory.metadata !== '') {
      plan.files.push({ path: pathInside(path, hydratedFiles.metadata), content: directory.metadata })
    }
  }
  for (const path of request.removedPaths) {
    if (tree && !written.has(path) && (await planRemoval(tree, path, plan))) plan.changedPaths.push(path)
  }
  const { metadata } = request.header
  const rootIsDirectory = plan.files.some((file) => file.path === hydratedFiles.metadata)
  if (plan.changedPaths.length > 0 && metadata !== '' && !rootIsDirectory) {
    plan.files.push({ path: hydratedFiles.metadata, content: metadata })
  }
  return plan
}

/** Whether the tree has a directory's manifests already, and the README that goes with them names its Applications. */
async function holds(tree: CommitTree, directory: HydratedDirectory): Promise<boolean> {
  return (await holdsManifest(tree, directory)) && (await holdsApplications(tree, directory))
}

/** A record that names no Applications, as Argo CD's, is left as it is. */
async function holdsApplications(tree: CommitTree, { path, metadata }: HydratedDirectory): Promise<boolean> {
  const file = pathInside(path, hydratedFiles.metadata)
  const entry = await tree.entry(file)
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return true
  const held = applicationsOf((await tree.read(file, maxMetadataBytes)).toString('utf8'))
  const wanted = applicationsOf(metadata)
  return held === undefined || wanted === undefined || held === wanted
}

/** The `applications` of a metadata text, which anybody with push rights may have written. */
function applicationsOf(metadata: string): string | undefined {
  try {
    const value: unknown = JSON.parse(metadata)
    const names =
      value !== null && typeof value === 'object' && 'applications' in value ? value.applications : undefined
    return names === undefined ? undefined : JSON.stringify(names)
  } catch {
    return undefined
  }
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
async function planRemoval(tree: CommitTree, path: string, plan: PlannedChanges): Promise<boolean> {
  if (!(await tree.entry(pathInside(path, hydratedFiles.metadata)))) return false
  for (const name of Object.values(hydratedFiles)) {
    if (path === '' && name === hydratedFiles.metadata) continue
    const file = pathInside(path, name)
    if (await tree.entry(file)) plan.files.push({ path: file, content: undefined })
  }
  return true
}
