import type { Tool } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GroupRun, RunContext } from './branch-run.ts'
import { type InspectedDirectory, sourceOf } from './inspect.ts'

/** The result of rendering one directory. */
export interface RenderedDirectory extends InspectedDirectory {
  /** JSON documents in the order of manifest.yaml. */
  manifests: string[]
  commands: string[]
  tools: Tool[]
  /** Why there are no manifests; empty when there are. */
  error: string
}

/**
 * Renders directories at a dry commit and yields each as soon as it is there. The work is cut into portions for all
 * repo-servers; a faulty directory does not keep the others from being rendered, so one run tells of every fault.
 */
export async function* renderDirectories(
  context: RunContext,
  group: GroupRun,
  drySha: string,
  directories: readonly InspectedDirectory[],
  signal: AbortSignal,
): AsyncGenerator<RenderedDirectory> {
  const streams = portions(directories, context.repoServers).map((portion) =>
    renderPortion(context, group, drySha, portion, signal),
  )
  yield* merge(streams, 2 * context.repoServers)
}

function portions<T>(items: readonly T[], servers: number): T[][] {
  const size =
    servers === 1 ? Math.max(items.length, 1) : Math.min(64, Math.ceil(items.length / (servers * 4)) || 1)
  const result: T[][] = []
  for (let start = 0; start < items.length; start += size) result.push(items.slice(start, start + size))
  return result
}

async function* renderPortion(
  context: RunContext,
  group: GroupRun,
  drySha: string,
  portion: readonly InspectedDirectory[],
  signal: AbortSignal,
): AsyncGenerator<RenderedDirectory> {
  const { repoURL: repoUrl, project } = group
  const sources = portion.map(({ directory }) => sourceOf(directory.members[0]))
  const parts = new Map<number, string[]>()
  for await (const part of context.repoServer.renderSources(
    { repoUrl, project, sha: drySha, sources },
    { signal },
  )) {
    const manifests = parts.get(part.index) ?? []
    manifests.push(...part.manifests)
    parts.set(part.index, manifests)
    const inspected = portion[part.index]
    if (!part.done || !inspected) continue
    parts.delete(part.index)
    const { commands, tools, error } = part
    yield {
      ...inspected,
      fingerprint: part.fingerprint || inspected.fingerprint,
      manifests,
      commands,
      tools,
      error,
    }
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
