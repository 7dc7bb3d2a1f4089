import { availableParallelism } from 'node:os'
import type { HandlerContext } from '@connectrpc/connect'
import { DomainError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { RenderSourcesRequest, Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/file-tree.ts'
import { openMirrorAt, type RepoServerContext } from '../context.ts'
import { mapUnordered } from '../sources/map-unordered.ts'
import { assertSourceCount } from './inspect-sources.ts'

/** Manifests of one message, in characters; far below every message limit. */
const portionLength = 512 * 1024
/** Sources under way at a time; more than renderers, so that reading and writing around a render fills the gaps. */
const width = 2 * availableParallelism() + 2

interface Job {
  tree: FileTree
  repoUrl: string
  sha: string
  source: Source
  index: number
}

interface Result {
  index: number
  manifests: readonly string[]
  commands: string[]
  tools: { name: string; version: string }[]
  fingerprint: string
  error: string
}

/** Renders sources, as many at a time as the renderer allows, and tells each result as soon as it is there. */
export function renderSources(context: RepoServerContext) {
  return async function* ({ repoUrl, project, sha, sources }: RenderSourcesRequest, call: HandlerContext) {
    assertSourceCount(sources)
    const mirror = await openMirrorAt(context, { repoUrl, project, sha })
    const tree = await context.trees.open(mirror, sha)
    const jobs = sources.map((source, index) => ({ tree, repoUrl, sha, source, index }))
    for await (const result of mapUnordered(jobs, width, call.signal, (job, signal) =>
      render(context, job, signal),
    )) {
      yield* messages(result)
    }
  }
}

async function render(context: RepoServerContext, job: Job, signal: AbortSignal): Promise<Result> {
  const { tree, repoUrl, sha: revision, index } = job
  try {
    const source = context.renderer.readSource(repoUrl, job.source)
    const rendered = await context.renderer.render({ tree, revision, source }, signal)
    const { manifests, commands, tools, fingerprint } = rendered
    return { index, manifests, commands: [...commands], tools: [...tools], fingerprint, error: '' }
  } catch (error) {
    if (!(error instanceof DomainError) || signal.aborted) throw error
    return { index, manifests: [], commands: [], tools: [], fingerprint: '', error: errorMessage(error) }
  }
}

/** Cuts a result into messages; the last one carries what is not manifests. */
function* messages({ index, manifests, ...rest }: Result) {
  let portion: string[] = []
  let length = 0
  for (const manifest of manifests) {
    if (length > 0 && length + manifest.length > portionLength) {
      yield { index, manifests: portion }
      portion = []
      length = 0
    }
    portion.push(manifest)
    length += manifest.length
  }
  yield { index, manifests: portion, done: true, ...rest }
}
