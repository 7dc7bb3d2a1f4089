import type { ChartPool } from '@wadi/charts/chart-pool.ts'
import { DomainError, errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'
import type {
  GetCommitRequest,
  ResolveRevisionsRequest,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'

const maxRemembered = 10_000

/** The facts about a version of a chart that replace those of a commit. */
interface ChartCommit {
  sha: string
  subject: string
  body: string
  /** RFC 3339; empty where nobody says. */
  date: string
  committerDate: string
}

/** The versions of charts in the place of revisions and commits. */
export class ChartRevisions {
  readonly #charts: ChartPool
  readonly #commits = growingCache<string, ChartCommit>(maxRemembered)

  constructor(charts: ChartPool) {
    this.#charts = charts
  }

  /** Resolves the versions and ranges of a request; each that cannot be resolved carries its own error. */
  async resolve(request: ResolveRevisionsRequest, signal: AbortSignal) {
    const { repoUrl, project, chart, moveRanges } = request
    const named = { repoUrl, project, chart }
    const resolveOne = async (revision: string) => {
      const before = request.held.find((one) => one.revision === revision)
      const held = before && { version: before.version, digest: before.sha }
      try {
        const found = await this.#charts.resolve(named, revision, { held, moves: moveRanges }, signal)
        const { version, digest: sha, created: date, description: body } = found
        const commit = { sha, subject: `${chart} ${version}`, body, date, committerDate: date }
        this.#commits.set(keyOf({ repoUrl, project, sha, chart }), commit)
        return { revision, sha, version }
      } catch (error) {
        // A repository that does not answer is the failure of the whole call, as that of a git repository.
        if (!(error instanceof DomainError) || error instanceof UnavailableError) throw error
        return { revision, error: errorMessage(error) }
      }
    }
    const revisions = await Promise.all(request.revisions.map(resolveOne))
    return { revisions, credentials: await this.#charts.identityFor(named) }
  }

  /** Returns the known facts of a version; after a restart no more than its name. */
  commit({ repoUrl, project, sha, chart }: GetCommitRequest): ChartCommit {
    const { name = '', version = '' } = chart ?? {}
    const known = this.#commits.get(keyOf({ repoUrl, project, sha, chart: name }))
    return known ?? { sha, subject: `${name} ${version}`, body: '', date: '', committerDate: '' }
  }
}

function keyOf({
  repoUrl,
  project,
  sha,
  chart,
}: Record<'repoUrl' | 'project' | 'sha' | 'chart', string>): string {
  return JSON.stringify([repoUrl, project, chart, sha])
}
