import type { Client } from '@connectrpc/connect'
import type { Results, Reuse } from '@wadi/incremental/reuse.ts'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type {
  InspectSourcesResponse,
  RepoServerService,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Verification } from '@wadi/hydration/source-verification.ts'
import type { RequestedTools } from '../branch-tools.ts'
import type { Inspections } from '../inspect/list-findings.ts'
import type { SourceList } from '../inspect/source-lists.ts'
import type { SourceRequest } from '../inspect/source-request.ts'

/** The request of `InspectSources` about a list of sources. */
export interface InspectQuestion extends RequestedTools {
  readonly repoUrl: string
  readonly project: string
  /** The dry commit. */
  readonly sha: string
  readonly list: SourceList
  /** The chart whose archive the dry commit is; absent for a commit. */
  readonly chart?: { name: string; version: string }
  readonly verification?: Verification
  readonly referenced?: NonNullable<SourceRequest['referenced']>
  readonly withoutCommands?: boolean
}

/** The newest answer about a list. */
interface Answered {
  /** Names the answer for repo-server; empty when it keeps nothing. */
  readonly position: string
  readonly inspections: Inspections
}

/**
 * The newest inspections of the sources of large branches, so that the next request only names the list and the answer only has the changes.
 * A repo-server that does not know the list or the answer, since it was restarted or is another one, gets and returns everything.
 */
export class KnownInspections {
  readonly #repoServer: Client<typeof RepoServerService>
  readonly #answered: Results<SourceList, Answered>

  constructor(repoServer: Client<typeof RepoServerService>, reuse: Reuse) {
    this.#answered = reuse.byObject()
    this.#repoServer = repoServer
  }

  /** `InspectSources` for the sources of a list. */
  async inspect({ list, ...request }: InspectQuestion, signal: AbortSignal): Promise<Inspections> {
    const named = { ...request, sourcesDigest: request.withoutCommands === true ? '' : list.digest }
    const before = named.sourcesDigest === '' ? undefined : this.#answered.get(list)
    const short =
      before && (await this.#repoServer.inspectSources({ ...named, since: before.position }, { signal }))
    const known = short && taken(list, short, before)
    if (known) return this.#take(list, known)
    const whole = await this.#repoServer.inspectSources({ ...named, sources: list.sources() }, { signal })
    const inspections = VersionedMap.of(whole.inspections.entries())
    return this.#take(list, { position: whole.position, inspections })
  }

  #take(list: SourceList, answered: Answered): Inspections {
    // Without a position, as for a commit that is not signed, the answer before is still the one that repo-server knows.
    if (answered.position !== '') this.#answered.set(list, answered)
    return answered.inspections
  }
}

/** All inspections after an answer to a request without sources; undefined when repo-server needs them. */
function taken(
  { directories }: SourceList,
  { position, inspections, changes }: InspectSourcesResponse,
  before: Answered,
): Answered | undefined {
  if (position === '') return undefined
  const changed = Object.entries(changes?.inspections ?? {})
  const all = changes
    ? before.inspections.with(changed.map(([index, inspection]) => [Number(index), inspection]))
    : VersionedMap.of(inspections.entries())
  return all.size === directories.length ? { position, inspections: all } : undefined
}
