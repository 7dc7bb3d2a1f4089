import { workAhead } from '@wadi/concurrency/work-ahead.ts'
import { ToolChanges } from './tool-changes.ts'
import type { Content } from '@wadi/git/commit/fast-import.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import type { CommitRequest } from './commit-request.ts'
import type { HydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { heldMetadata } from '@wadi/hydration/held-metadata.ts'
import { type FileChange, planFiles, removedFiles } from './plan-files.ts'
import { assertNoDirectory, planManifests, removedManifests } from './plan-manifests.ts'
import { type WantedRecord, wantedRecord } from './record-content.ts'

/** The changes of a commit to the branch's tree. */
export interface PlannedChanges {
  /** Content to write; undefined removes the file. */
  files: { path: string; content: Content | undefined }[]
  /** Directories whose manifests, files or Applications change, come or go. */
  changedPaths: string[]
  /** Trailers that name which tools changed for directories that change. */
  trailers: string[]
}

/** Records of directories that are read before they are compared, as each is an answer of git that is waited for. */
const recordsAhead = 16

const nothingRecorded = wantedRecord('')

/** Content by path; undefined removes the file. What one directory writes wins over what another removes. */
type Changes = Map<string, Content | undefined>

/**
 * Compares a request with the tree that it is to be built on, by object ids and only on the paths that it names. A
 * directory is changed when its manifests, its files or its Applications change; README and metadata are then written
 * too. Foreign files stay.
 * @throws FailedPreconditionError when a file of somebody else stands where a directory or file must be.
 */
export async function planChanges(
  tree: CommitTree | undefined,
  request: CommitRequest,
): Promise<PlannedChanges> {
  const recorded = [...request.directories.map(({ path }) => path), ...request.removedPaths]
  await tree?.ready(recorded.map((path) => pathInside(path, hydratedFiles.metadata)))
  const changes: Changes = new Map()
  const changedPaths: string[] = []
  const toolChanges = new ToolChanges()
  const written = new Set<string>()
  const heldOf = workAhead(request.directories, recordsAhead, async (directory) =>
    tree ? heldMetadata(tree, directory.path) : undefined,
  )
  for (const directory of request.directories) {
    const { path, metadata } = directory
    const wanted = metadata?.record ?? nothingRecorded
    written.add(path)
    const held = await heldOf(directory)
    const files = await planFiles(tree, directory, held?.files ?? [], request)
    const manifests = await planManifests(tree, directory, held)
    if (files.length + manifests.length === 0 && agrees(held, wanted)) continue
    changedPaths.push(path)
    toolChanges.add(held, wanted)
    for (const file of manifests) change(changes, file)
    for (const [name, content] of besideManifests(directory)) {
      const file = pathInside(path, name)
      await assertNoDirectory(tree, file)
      changes.set(file, content)
    }
    for (const file of files) change(changes, file)
  }
  for (const path of request.removedPaths) {
    if (tree && !written.has(path) && (await planRemoval(tree, path, changes))) changedPaths.push(path)
  }
  const { metadata } = request.header
  if (changedPaths.length > 0 && metadata !== '' && !changes.has(hydratedFiles.metadata)) {
    await assertNoDirectory(tree, hydratedFiles.metadata)
    changes.set(hydratedFiles.metadata, metadata)
  }
  return {
    files: Array.from(changes, ([path, content]) => ({ path, content })),
    changedPaths,
    trailers: toolChanges.trailers(),
  }
}

/** README and record of a directory, as far as it has them. */
function besideManifests({ readme, metadata }: CommitRequest['directories'][number]): [string, Content][] {
  return [
    ...(readme ? [[hydratedFiles.readme, readme] satisfies [string, Content]] : []),
    ...(metadata ? [[hydratedFiles.metadata, metadata.content] satisfies [string, Content]] : []),
  ]
}

function change(changes: Changes, { path, content }: FileChange): void {
  if (content !== undefined || !changes.has(path)) changes.set(path, content)
}

/** Returns true if a record names the same Applications and files as another. One that names no Applications, as Argo CD's, is left as it is. */
function agrees(held: HydratorMetadata | undefined, wanted: WantedRecord): boolean {
  const { applications, files, manifests } = held ?? { files: [], manifests: [hydratedFiles.manifest] }
  if (manifests.join('/') !== wanted.manifests.join('/')) return false
  if (applications !== undefined && wanted.applications !== undefined) {
    if (applications !== wanted.applications) return false
  }
  return files.length === wanted.files.length && new Set([...files, ...wanted.files]).size === files.length
}

/** Plans to remove Wadi's own files of a directory; returns whether there are any. */
async function planRemoval(tree: CommitTree, path: string, changes: Changes): Promise<boolean> {
  if (!(await tree.entry(pathInside(path, hydratedFiles.metadata)))) return false
  const held = await heldMetadata(tree, path)
  const written = held ? [...held.manifests, hydratedFiles.manifest] : [hydratedFiles.manifest]
  const removals = [
    ...(await removedFiles(tree, path, held?.files ?? [])),
    ...(await removedManifests(tree, path, new Set(written))),
  ]
  for (const removal of removals) change(changes, removal)
  for (const name of [hydratedFiles.readme, hydratedFiles.metadata]) {
    if (path === '' && name === hydratedFiles.metadata) continue
    const file = pathInside(path, name)
    const kind = (await tree.entry(file))?.kind
    if (kind !== undefined && kind !== 'directory') change(changes, { path: file, content: undefined })
  }
  return true
}
