import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { filesFolder } from '@wadi/hydration/files-folder.ts'
import { heldMetadata } from './held-metadata.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'

const names = new Set<string>(Object.values(hydratedFiles))

/** Of some paths those that Wadi wrote, by the `hydrator.metadata` of the directories in a tree. */
export async function writtenFiles(tree: CommitTree, paths: Iterable<string>): Promise<string[]> {
  const written: string[] = []
  for (const path of paths) if (await isWritten(tree, path)) written.push(path)
  return written
}

async function isWritten(tree: CommitTree, path: string): Promise<boolean> {
  if (path === hydratedFiles.metadata) return (await tree.entry(path)) !== undefined
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  if (names.has(name) && (await isHydrated(tree, parts.slice(0, -1).join('/')))) return true
  for (const [index, part] of parts.entries()) {
    if (part !== filesFolder || index === parts.length - 1) continue
    const record = await heldMetadata(tree, parts.slice(0, index).join('/'))
    if (record?.files.includes(parts.slice(index + 1).join('/'))) return true
  }
  return false
}

/** Every branch has a record at its root; only that of a directory names Applications or stands beside manifests below the root. */
async function isHydrated(tree: CommitTree, directory: string): Promise<boolean> {
  if (directory !== '') return (await tree.entry(pathInside(directory, hydratedFiles.metadata))) !== undefined
  return (await heldMetadata(tree, ''))?.applications !== undefined
}
