import { availableParallelism } from 'node:os'
import type { HandlerContext } from '@connectrpc/connect'
import { ConflictError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { assertTreePath } from '@wadi/git/objects/tree-path.ts'
import type {
  DefaultTools,
  RenderSourcesRequest,
  Source,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { withFile } from '@wadi/file-trees/with-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { Rendered, RenderedFile } from '@wadi/rendering/run/render-run.ts'
import { type RepoServerContext, shownRevision } from '../context.ts'
import { mapUnordered } from '@wadi/concurrency/map-unordered.ts'
import { deniedFields } from '../sources/denied-error.ts'
import type { PolicySets } from '../sources/source-gates.ts'
import { errorFields, isOfSource } from '../sources/inspect-one.ts'
import { assertSourceCount } from './inspect-sources.ts'

/** Manifests or files of one message, in characters; far below every message limit. */
const portionLength = 512 * 1024
/** Sources under way at a time; more than renderers, so that reading and writing around a render fills the gaps. */
const width = 2 * availableParallelism() + 2

interface Job {
  tree: FileTree
  repoUrl: string
  /** As renderers are shown it. */
  revision: string
  project: string
  source: Source
  index: number
  /** True to run the renderer even if the result is known. */
  fresh: boolean
  /** True if files of the tree are those of no commit. */
  isEdited: boolean
  /** True if neither plugins nor actions and ytt may run. */
  withoutCommands: boolean
  /** True to find out what objects were made from. */
  withOrigins: boolean
  /** The versions of tools that have to render. */
  tools: string
  /** The versions that render what names none in git. */
  defaultTools: DefaultTools | undefined
  policySets: PolicySets
}

/** The most files that come in the place of those of a commit. */
const maxEdits = 100

/** The result of one source. */
type Result = { index: number } & (
  | (Rendered & { fingerprint: string; cached: boolean })
  | (ReturnType<typeof errorFields> & ReturnType<typeof deniedFields>)
)

/** Renders sources, as many at a time as the renderer allows, and returns each result as soon as it is there. */
export function renderSources(context: Pick<RepoServerContext, 'files' | 'renderer' | 'gated'>) {
  return async function* (request: RenderSourcesRequest, call: HandlerContext) {
    const { repoUrl, project, sources, fresh, withoutCommands, withOrigins, defaultTools } = request
    const revision = shownRevision(request)
    assertSourceCount(sources)
    const { tree: committed, repair } = await context.files.use(request, call.signal, async (files) => files)
    const tree = editedTree(committed, request.edits)
    const isEdited = request.edits.length > 0
    // All sources of a call are rendered by the same versions.
    const tools = request.tools || (await context.renderer.tools())
    const policySets = new Map(request.policySets.map(({ id, files }) => [id, files] as const))
    const common = {
      tree,
      repoUrl,
      revision,
      project,
      fresh,
      isEdited,
      withoutCommands,
      withOrigins,
      tools,
      defaultTools,
      policySets,
    }
    const jobs = sources.map((source, index) => ({ ...common, source, index }))
    const render = (job: Job, signal: AbortSignal) => renderOne(context, job, signal)
    try {
      for await (const result of mapUnordered(jobs, width, call.signal, render)) yield* messages(result)
    } catch (error) {
      await repair(error)
      throw error
    }
  }
}

/** The files of a commit with others in the place of some. @throws InvalidInputError for more than 100, or a path that cannot be one */
function editedTree(tree: FileTree, edits: RenderSourcesRequest['edits']): FileTree {
  if (edits.length > maxEdits) throw new InvalidInputError(`${edits.length} edits are more than ${maxEdits}`)
  for (const { path } of edits) assertTreePath(path)
  return edits.reduce((edited, { path, after }) => withFile(edited, path, after), tree)
}

async function renderOne(
  context: Pick<RepoServerContext, 'renderer' | 'gated'>,
  job: Job,
  signal: AbortSignal,
): Promise<Result> {
  const { tree, repoUrl, revision, project, index, fresh, isEdited, withoutCommands, tools, defaultTools } =
    job
  try {
    const source = context.renderer.readSource(repoUrl, job.source)
    const dry = { tree, revision, project, source, withoutCommands, tools, defaultTools }
    if (isEdited)
      return { index, fingerprint: '', cached: false, ...(await context.renderer.attempt(dry, signal)) }
    const gated = { ...dry, gates: job.source.gates, policySets: job.policySets }
    const rendered = await context.gated.render(gated, fresh, signal)
    if (!job.withOrigins) return { index, ...rendered }
    const { plan } = (await context.renderer.inspect(dry, signal)).inspection
    const { manifests, record } = rendered
    const origins = plan.findOrigins
      ? await plan.findOrigins(tree, { manifests, origins: record.origins })
      : record.origins
    return { index, ...rendered, record: { ...record, ...(origins && { origins }) } }
  } catch (error) {
    if (!isOfSource(error) || error instanceof ConflictError || signal.aborted) throw error
    return { index, ...errorFields(error), ...deniedFields(error) }
  }
}

/** Cuts a result into messages; the last one carries what is neither manifests nor files. */
function* messages(result: Result) {
  if ('error' in result) {
    yield { ...result, done: true }
    return
  }
  const { index, manifests, files, fingerprint, cached, record } = result
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
  yield { index, ...last, done: true, fingerprint, cached, record }
}
