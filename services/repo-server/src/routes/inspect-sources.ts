import { DomainError, errorMessage, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { HandlerContext } from '@connectrpc/connect'
import type { InspectSourcesRequest, Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import { PluginUnavailableError } from '@wadi/rendering/plugin/plugins.ts'
import type { RepoServerContext } from '../context.ts'
import { UnverifiedCommitError } from '../revisions/require-signatures.ts'

/** The most sources that one request may name. */
const maxSources = 20_000

/** Returns what decides each source's output, without rendering. A commit that is not signed as required is each source's error. */
export function inspectSources(context: Pick<RepoServerContext, 'files' | 'renderer'>) {
  return async (request: InspectSourcesRequest, { signal }: HandlerContext) => {
    assertSourceCount(request.sources)
    const { repoUrl, sha, project, sources } = request
    try {
      return await context.files.use(request, signal, async ({ tree }) => {
        const inspections = []
        for (const source of sources)
          inspections.push(await inspectOne(context, { tree, repoUrl, sha, project, source }, signal))
        return { inspections }
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

async function inspectOne(
  { renderer }: Pick<RepoServerContext, 'renderer'>,
  requested: { tree: FileTree; repoUrl: string; sha: string; project: string; source: Source },
  signal: AbortSignal,
) {
  const { tree, repoUrl, sha: revision, project } = requested
  try {
    const source = renderer.readSource(repoUrl, requested.source)
    const { inspection, ...inspected } = await renderer.inspect({ tree, revision, project, source }, signal)
    const { fingerprint, warnings } = inspected
    return { fingerprint, warnings: [...warnings], pluginVariables: [...inspection.pluginVariables.keys()] }
  } catch (error) {
    if (!isOfSource(error)) throw error
    return { error: errorMessage(error), retryable: isRetryable(error) }
  }
}

/** Whether the same may succeed later although nothing changed. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DomainError && error.retryable
}

/** Whether an error is one source's own, and not one of this machine that another try may not meet. */
export function isOfSource(error: unknown): boolean {
  if (error instanceof PluginUnavailableError) return true
  return error instanceof DomainError && !(error instanceof UnavailableError)
}
