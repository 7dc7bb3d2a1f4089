import { createHash } from 'node:crypto'
import type { sourceMessage } from '@wadi/hydration/source-message.ts'
import type { Directory } from '../branch-run.ts'
import { byPosition } from './by-position.ts'
import { directorySource, type SourceBatch, sourceBatches } from './source-batches.ts'

type SourceMessage = ReturnType<typeof sourceMessage>

/** Directories that one request to repo-server is about. */
export interface SourceList {
  readonly directories: readonly Directory[]
  /** The position among their sources. */
  readonly position: number
  /** Names the sources of the directories: equal ones have equal digests. */
  readonly digest: string
  /** The length of all options. */
  readonly optionsLength: number
  /** The sources of the directories, made each time, as most requests only name them. */
  sources(): SourceMessage[]
}

/** Cuts directories into lists for each of their sources as `sourceBatches` does. */
export function sourceLists(directories: readonly Directory[]): readonly SourceList[] {
  return byPosition(directories, (directory) => directory).flatMap(([position, some]) =>
    sourceBatches(some, (directory) => directory, position).map((batch) => sourceList(batch, position)),
  )
}

function sourceList({ items, sources }: SourceBatch<Directory>, position: number): SourceList {
  return {
    directories: items,
    position,
    digest: createHash('sha256').update(JSON.stringify(sources)).digest('base64url'),
    optionsLength: sources.reduce((sum, { optionsJson }) => sum + optionsJson.length, 0),
    sources: () => items.map((directory) => directorySource(directory, position)),
  }
}
