import type { InspectSourcesRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Results, Reuse } from '@wadi/incremental/reuse.ts'
import { SourceSet } from './source-set.ts'

/** Sources of all lists that are kept; those of the list unused for longest go first. */
const maxSources = 50_000

/** The lists of sources that callers named, for as long as there is room. */
export class SourceSets {
  readonly #sets: Results<string, SourceSet>

  constructor(reuse: Reuse) {
    this.#sets = reuse.byKey(maxSources, ({ size }) => size)
  }

  /** The list of a request: the one that it brings, or the one that it names; undefined for one that is not known, or not to be kept. */
  of({
    repoUrl,
    project,
    sources,
    sourcesDigest,
    chart,
    withoutCommands,
    referenced,
    defaultTools,
  }: InspectSourcesRequest): SourceSet | undefined {
    // Without commands a source may be something else.
    if (sourcesDigest === '' || withoutCommands) return undefined
    const others = referenced.map((other) => [other.ref, other.repoUrl])
    const key = JSON.stringify([repoUrl, project, sourcesDigest, chart?.name, others, defaultTools])
    const known = this.#sets.get(key)
    if (known || sources.length === 0) return known
    this.#sets.set(key, new SourceSet({ repoUrl, project, sources, defaultTools }))
    return this.#sets.get(key)
  }
}
