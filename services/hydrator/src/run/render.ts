import { create } from '@bufbuild/protobuf'
import {
  type RenderRecord,
  RenderRecordSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileBesideManifests } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { ObservedGroup } from './branch-run.ts'
import { verificationAt } from './group-verification.ts'
import type { RunContext } from './run-context.ts'
import { type GroupPlan, identityOf, type InspectedDirectory, type WantedOfGroup } from './inspect.ts'
import { type SourceBatch, sourceBatches } from './source-batches.ts'

/** A dry commit of a group and what must be done for it. */
export interface PlannedOfGroup extends WantedOfGroup {
  plan: GroupPlan
}

/** The result of rendering one directory. */
export interface RenderedDirectory extends InspectedDirectory {
  /** JSON documents in the order of manifest.yaml. */
  manifests: string[]
  /** What is written below `files/`. */
  files: FileBesideManifests[]
  /** What the render reports for `hydrator.metadata` and the Applications' status; empty when there is an error. */
  record: RenderRecord
  /** Why there are no manifests; empty when there are. */
  error: string
  /** Whether the same render may succeed later although nothing changed. */
  retryable: boolean
}

/**
 * Renders what a plan says has changed and yields each directory as soon as it is there. The work is cut into portions for all
 * repo-servers; an invalid directory does not keep the others from being rendered, so one run reports every error.
 */
export async function* renderChanged(
  context: RunContext,
  { run, group, drySha, plan }: PlannedOfGroup,
  signal: AbortSignal,
): AsyncGenerator<RenderedDirectory> {
  const { repoServers } = context
  const { changed: directories } = plan
  const portion = repoServers === 1 ? directories.length : Math.ceil(directories.length / (repoServers * 4))
  const batches = sourceBatches(directories, ({ directory }) => directory, portion)
  const streams = batches.map((batch) =>
    renderBatch(context, { group, drySha, fresh: run.hard, batch }, signal),
  )
  yield* merge(streams, 2 * repoServers)
}

interface BatchToRender {
  group: ObservedGroup
  drySha: string
  fresh: boolean
  batch: SourceBatch<InspectedDirectory>
}

async function* renderBatch(
  context: RunContext,
  { group, drySha: sha, fresh, batch }: BatchToRender,
  signal: AbortSignal,
): AsyncGenerator<RenderedDirectory> {
  const { items, sources } = batch
  const { repoUrl, project } = group
  const verification = verificationAt(group, sha)
  const request = { repoUrl, project, sha, sources, fresh, ...(verification && { verification }) }
  const received = new Map<number, Pick<RenderedDirectory, 'manifests' | 'files'>>()
  for await (const part of context.repoServer.renderSources(request, { signal })) {
    const whole = received.get(part.index) ?? { manifests: [], files: [] }
    whole.manifests.push(...part.manifests)
    whole.files.push(...part.files)
    received.set(part.index, whole)
    const inspected = items[part.index]
    if (!part.done || !inspected) continue
    received.delete(part.index)
    const { record = create(RenderRecordSchema), error, retryable } = part
    const fingerprint = part.fingerprint
      ? identityOf(inspected.directory, part.fingerprint)
      : inspected.fingerprint
    yield { ...inspected, fingerprint, ...whole, record, error, retryable }
  }
}

/** Yields from several streams as their items come, reading at most `width` of them at a time. */
async function* merge<T>(streams: AsyncGenerator<T>[], width: number): AsyncGenerator<T> {
  const waiting = [...streams]
  const reading = new Map<
    AsyncGenerator<T>,
    Promise<{ stream: AsyncGenerator<T>; result: IteratorResult<T> }>
  >()
  const read = (stream: AsyncGenerator<T>): void => {
    reading.set(
      stream,
      stream.next().then((result) => ({ stream, result })),
    )
  }
  try {
    for (;;) {
      while (reading.size < width) {
        const next = waiting.shift()
        if (!next) break
        read(next)
      }
      if (reading.size === 0) return
      const { stream, result } = await Promise.race(reading.values())
      if (result.done) {
        reading.delete(stream)
      } else {
        read(stream)
        yield result.value
      }
    }
  } finally {
    // A failed stream ends the others, so that no renderer works for nobody.
    await Promise.allSettled([...reading.keys()].map((stream) => stream.return(undefined)))
  }
}
