import { sourceMessage } from '@wadi/hydration/source-message.ts'
import { instanceName } from '@wadi/resources/application/application.ts'
import { gatesMessage } from '../../gates/gates-message.ts'
import type { Directory } from '../branch-run.ts'

/** The message of one source of a directory. */
type DirectorySource = ReturnType<typeof sourceMessage> & { readonly sharedWith?: string[] }

/** The sources of one request to repo-server, each beside what it stands for. */
export interface SourceBatch<T> {
  items: T[]
  sources: DirectorySource[]
}

const maxSources = 5_000
const maxOptionsLength = 2 * 1024 * 1024

/** One source of a directory. Its first member speaks for all, but a tool that one of them names applies the files of all. */
export function directorySource(
  { members, forFlux = false, gates = [] }: Directory,
  position: number,
): DirectorySource {
  const [{ application, spec }, ...others] = members
  const source = sourceMessage(application, spec, position)
  const sharedWith = others.map((member) => instanceName(member.application.metadata))
  return {
    ...source,
    gates: gatesMessage(gates),
    ...(sharedWith.length > 0 && { sharedWith }),
    ...(forFlux && { forFlux }),
  }
}

/**
 * Cuts directories into requests that stay below every limit on messages, however many there are and however long the
 * options in their Applications.
 * @param position that of the source which is asked about, among those of the Applications
 */
export function sourceBatches<T>(
  items: readonly T[],
  directoryOf: (item: T) => Directory,
  position: number,
  size = maxSources,
): SourceBatch<T>[] {
  const batches: SourceBatch<T>[] = []
  let length = 0
  let batch: SourceBatch<T> | undefined
  for (const item of items) {
    const source = directorySource(directoryOf(item), position)
    const own = [source.optionsJson, ...(source.sharedWith ?? [])].join().length
    if (!batch || batch.items.length >= Math.min(size, maxSources) || length + own > maxOptionsLength) {
      batch = { items: [], sources: [] }
      batches.push(batch)
      length = 0
    }
    batch.items.push(item)
    batch.sources.push(source)
    length += own
  }
  return batches
}
