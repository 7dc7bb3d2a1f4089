import { DomainError, errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { InspectSourcesRequest, Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { openMirrorAt, type RepoServerContext } from '../context.ts'

/** The most sources that one request may name. */
const maxSources = 20_000

/** Tells what decides each source's output; nothing is rendered. */
export function inspectSources(context: RepoServerContext) {
  return async (request: InspectSourcesRequest) => {
    assertSourceCount(request.sources)
    const { repoUrl, sha: revision } = request
    const mirror = await openMirrorAt(context, request)
    const tree = await context.trees.open(mirror, revision)
    const inspectOne = async (requested: Source) => {
      try {
        const source = context.renderer.readSource(repoUrl, requested)
        const { inspection, fingerprint } = await context.renderer.inspect({ tree, revision, source })
        return { fingerprint, notices: [...inspection.notices] }
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        return { error: errorMessage(error) }
      }
    }
    const inspections = []
    for (const source of request.sources) inspections.push(await inspectOne(source))
    return { inspections }
  }
}

/** @throws InvalidInputError above `maxSources` */
export function assertSourceCount(sources: readonly Source[]): void {
  if (sources.length > maxSources) {
    throw new InvalidInputError(`${sources.length} sources in one request; at most ${maxSources} are taken`)
  }
}
