import { availableParallelism } from 'node:os'
import type { HandlerContext } from '@connectrpc/connect'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { RenderSourcesRequest, Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import type { Rendered, RenderedFile } from '@wadi/rendering/render-run.ts'
import type { RepoServerContext } from '../context.ts'
import { mapUnordered } from '@wadi/concurrency/map-unordered.ts'
import { assertSourceCount, isOfSource, isRetryable } from './inspect-sources.ts'

/** Manifests or files of one message, in characters; far below every message limit. */
const portionLength = 512 * 1024
/** Sources under way at a time; more than renderers, so that reading and writing around a render fills the gaps. */
const width = 2 * availableParallelism() + 2

interface Job {
  tree: FileTree
  repoUrl: string
  sha: string
  project: string
  source: Source
  index: number
  /** Whether the renderer runs even if the result is known. */
  fresh: boolean
}

/** What became of one source. */
type Result = { index: number } & (
  | (Rendered & { fingerprint: string })
  | { error: string; retryable: boolean }
)

/** Renders sources, as many at a time as the renderer allows, and returns each result as soon as it is there. */
export function renderSources(context: Pick<RepoServerContext, 'files' | 'renderer'>) {
  return async function* (request: RenderSourcesRequest, call: HandlerContext) {
    const { repoUrl, sha, project, sources, fresh } = request
    assertSourceCount(sources)
    const { tree, repair } = await context.files.use(request, call.signal, async (files) => files)
    const jobs = sources.map((source, index) => ({ tree, repoUrl, sha, project, source, index, fresh }))
    const render = (job: Job, signal: AbortSignal) => renderOne(context, job, signal)
    try {
      for await (const result of mapUnordered(jobs, width, call.signal, render)) yield* messages(result)
    } catch (error) {
      await repair(error)
      throw error
    }
  }
}

async function renderOne(
  context: Pick<RepoServerContext, 'renderer'>,
  job: Job,
  signal: AbortSignal,
): Promise<Result> {
  const { tree, repoUrl, sha: revision, project, index, fresh } = job
  try {
    const source = context.renderer.readSource(repoUrl, job.source)
    const rendered = await context.renderer.render({ tree, revision, project, source }, fresh, signal)
    return { index, ...rendered }
  } catch (error) {
    if (!isOfSource(error) || signal.aborted) throw error
    return { index, error: errorMessage(error), retryable: isRetryable(error) }
  }
}

/** Cuts a result into messages; the last one carries what is neither manifests nor files. */
function* messages(result: Result) {
  if ('error' in result) {
    yield { ...result, done: true }
    return
  }
  const { index, manifests, files, fingerprint, record } = result
  let last: { manifests: string[]; files: RenderedFile[] } = { manifests: [], files: [] }
  let length = 0
  for (const item of [...manifests, ...files]) {
    const own = typeof item === 'string' ? item.length : item.path.length + item.content.length
    if (length > 0 && length + own > portionLength) {
      yield { index, ...last }
      last = { manifests: [], files: [] }
      length = 0
    }
    if (typeof item === 'string') last.manifests.push(item)
    else last.files.push(item)
    length += own
  }
  yield { index, ...last, done: true, fingerprint, record }
}
