import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type {
  InspectSourcesRequest,
  InspectSourcesResponseSchema,
  Source,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { type RepoServerContext, shownRevision } from '../context.ts'
import { UnverifiedCommitError } from '../revisions/require-signatures.ts'
import { inspectOne } from '../sources/inspect-one.ts'
import { inspectionsAtOnce, readySources } from '../sources/source-set.ts'
import { SourceSets } from '../sources/source-sets.ts'

type Response = MessageInitShape<typeof InspectSourcesResponseSchema>

/** The most sources that one request may name. */
const maxSources = 20_000

/**
 * Returns what decides each source's output, without rendering. A commit that is not signed as required is each source's error. For a list
 * that was named before, only what may have changed is inspected.
 */
export function inspectSources({
  files,
  gated: renderer,
  reuse,
}: Pick<RepoServerContext, 'files' | 'gated' | 'reuse'>) {
  const sets = new SourceSets(reuse)
  return async (request: InspectSourcesRequest, { signal }: HandlerContext): Promise<Response> => {
    assertSourceCount(request.sources)
    const { repoUrl, project, sources, chart, withoutCommands, defaultTools } = request
    const revision = shownRevision(request)
    const set = sets.of(request)
    if (!set && sources.length === 0) return {}
    try {
      return await files.use(request, signal, async ({ tree }) => {
        if (set) return set.look(renderer, { tree, revision, chart }, request.since, signal)
        await readySources(tree, sources)
        const inspected = await mapWithLimit(sources, inspectionsAtOnce, (source) =>
          inspectOne(
            renderer,
            { tree, repoUrl, revision, project, source, chart, withoutCommands, defaultTools },
            signal,
          ),
        )
        return { inspections: inspected.map(({ result }) => result) }
      })
    } catch (error) {
      if (!(error instanceof UnverifiedCommitError)) throw error
      const { message } = error
      return { inspections: sources.map(() => ({ error: message })) }
    }
  }
}

/** @throws InvalidInputError above `maxSources` */
export function assertSourceCount(sources: readonly Source[]): void {
  if (sources.length > maxSources) {
    throw new InvalidInputError(
      `${sources.length} sources in one request; at most ${maxSources} are accepted`,
    )
  }
}
