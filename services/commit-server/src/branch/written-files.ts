import { dirname } from 'node:path/posix'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { filesDirectory } from '@wadi/hydration/files-directory.ts'
import { heldMetadata } from '@wadi/hydration/held-metadata.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'

/** The paths that Wadi wrote into a directory: names in it, and paths in its directory `files`. */
interface WrittenNames {
  readonly names: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

/** Of some paths those that Wadi wrote, by the `hydrator.metadata` of the directories in a tree. */
export async function writtenFiles(tree: CommitTree, paths: readonly string[]): Promise<string[]> {
  // One record is that of thousands of files.
  const records = new Map<string, Promise<WrittenNames | undefined>>()
  const writtenInto = async (directory: string): Promise<WrittenNames | undefined> =>
    records.getOrInsertComputed(directory, async () => writtenNames(tree, directory))
  const written: string[] = []
  const directories = new Set(Array.from(paths, (path) => (path.includes('/') ? dirname(path) : '')))
  await tree.ready([...directories].map((directory) => pathInside(directory, hydratedFiles.metadata)))
  for (const path of paths) if (await isWritten(tree, path, writtenInto)) written.push(path)
  return written
}

async function isWritten(
  tree: CommitTree,
  path: string,
  writtenInto: (directory: string) => Promise<WrittenNames | undefined>,
): Promise<boolean> {
  if (path === hydratedFiles.metadata) return (await tree.entry(path)) !== undefined
  const parts = path.split('/')
  const own = await writtenInto(parts.slice(0, -1).join('/'))
  if (own?.names.has(parts.at(-1) ?? '')) return true
  for (const [index, part] of parts.entries()) {
    if (part !== filesDirectory || index === parts.length - 1) continue
    const record = await writtenInto(parts.slice(0, index).join('/'))
    if (record?.files.has(parts.slice(index + 1).join('/'))) return true
  }
  return false
}

/** Every branch has a record at its root; only that of a directory names Applications or stands beside manifests below the root. */
async function writtenNames(tree: CommitTree, directory: string): Promise<WrittenNames | undefined> {
  const record = await heldMetadata(tree, directory)
  if (!record) return undefined
  const isHydrated = directory !== '' || record.applications !== undefined
  const names = isHydrated ? [...Object.values(hydratedFiles), ...record.manifests] : []
  return { names: new Set(names), files: new Set(record.files) }
}
