import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { hydratedFiles, pathInside } from './hydrated-files.ts'
import { type DryRecord, type HydratorMetadata, readHydratorMetadata } from './hydrator-metadata.ts'

const maxMetadataBytes = 4 * 1024 * 1024

/**
 * Reads the `hydrator.metadata` that a tree has in a directory; undefined when there is none.
 * @throws ResourceExhaustedError for a record of more than 4 MiB
 */
export async function heldMetadata(tree: FileTree, directory: string): Promise<HydratorMetadata | undefined> {
  const file = pathInside(directory, hydratedFiles.metadata)
  const entry = await tree.entry(file)
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return undefined
  return readHydratorMetadata((await tree.read(file, maxMetadataBytes)).toString('utf8'))
}

/** Returns the dry side from the `hydrator.metadata` of a directory; empty if there is none. */
export async function heldDryRecord(tree: FileTree, directory: string): Promise<DryRecord> {
  return (await heldMetadata(tree, directory)) ?? { drySha: '', dryCommits: [] }
}
