import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SourceSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Member } from '../applications/application-index.ts'
import type { Directory } from './branch-run.ts'

type SourceMessage = MessageInitShape<typeof SourceSchema>

/** The sources of one request to repo-server, each beside what it stands for. */
export interface SourceBatch<T> {
  items: T[]
  sources: SourceMessage[]
}

const maxSources = 5_000
const maxOptionsLength = 2 * 1024 * 1024

/**
 * Cuts directories into requests that stay below every limit on messages, however many there are and however long the
 * options in their Applications.
 */
export function sourceBatches<T>(
  items: readonly T[],
  directoryOf: (item: T) => Directory,
  size = maxSources,
): SourceBatch<T>[] {
  const batches: SourceBatch<T>[] = []
  let length = 0
  let batch: SourceBatch<T> | undefined
  for (const item of items) {
    const source = sourceOf(directoryOf(item).members[0])
    const own = source.optionsJson?.length ?? 0
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

function sourceOf({ application, spec }: Member): SourceMessage & { optionsJson: string } {
  const { path, targetRevision, helm, kustomize, directory, plugin } = spec.drySource
  const options = helm || kustomize || directory || plugin
  return {
    path,
    targetRevision,
    optionsJson: options ? JSON.stringify({ helm, kustomize, directory, plugin }) : '',
    destinationNamespace: application.destination.namespace ?? '',
    applicationName: application.metadata.name,
  }
}
