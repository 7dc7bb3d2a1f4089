import { recordedFiles } from '@wadi/hydration/files-folder.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { hydratedFiles, pathInside } from '../branch/hydrated-files.ts'

/** What a `hydrator.metadata` says of its directory. */
export interface DirectoryRecord {
  /** The Applications as JSON; undefined in a record that names none, as Argo CD's. */
  readonly applications: string | undefined
  /** What was written into the folder `files`: paths in it that can be there. */
  readonly files: readonly string[]
  /** Versions of the tools that made it, by their names. */
  readonly tools: ReadonlyMap<string, string>
}

const maxMetadataBytes = 4 * 1024 * 1024

const nothing: DirectoryRecord = { applications: undefined, files: [], tools: new Map() }

/**
 * Reads the record that a tree has of a directory; undefined when there is none.
 * @throws ResourceExhaustedError above 4 MiB
 */
export async function heldRecord(tree: CommitTree, directory: string): Promise<DirectoryRecord | undefined> {
  const file = pathInside(directory, hydratedFiles.metadata)
  const entry = await tree.entry(file)
  if (entry?.kind !== 'file' && entry?.kind !== 'executable') return undefined
  return directoryRecord((await tree.read(file, maxMetadataBytes)).toString('utf8'))
}

/** Reads a metadata text, which anybody with push rights may have written: what cannot be read says nothing. */
export function directoryRecord(metadata: string): DirectoryRecord {
  let value: unknown
  try {
    value = JSON.parse(metadata)
  } catch {
    return nothing
  }
  if (value === null || typeof value !== 'object') return nothing
  const applications =
    'applications' in value && value.applications !== undefined
      ? JSON.stringify(value.applications)
      : undefined
  return {
    applications,
    files: recordedFiles('files' in value ? value.files : undefined),
    tools: recordedTools('tools' in value ? value.tools : undefined),
  }
}

function recordedTools(tools: unknown): Map<string, string> {
  const versions = new Map<string, string>()
  for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
    if (typeof tool !== 'object' || tool === null || !('name' in tool) || !('version' in tool)) continue
    if (typeof tool.name === 'string' && typeof tool.version === 'string')
      versions.set(tool.name, tool.version)
  }
  return versions
}
