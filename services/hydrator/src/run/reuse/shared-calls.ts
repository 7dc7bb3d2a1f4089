import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { Gathering } from '@wadi/concurrency/gathering.ts'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'
import { SharedWork } from '@wadi/concurrency/shared-work.ts'
import type {
  CommitManifestsResponse,
  CommitManifestsSchema,
  CommitServerService,
  GetBranchRequestSchema,
  GetBranchResponse,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type {
  Commit,
  Inspection,
  RepoServerService,
  ResolveRevisionsRequestSchema,
  ResolveRevisionsResponse,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Reuse } from '@wadi/incremental/reuse.ts'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import { LRUCache } from 'lru-cache'
import type { Inspections } from '../inspect/list-findings.ts'
import { type InspectQuestion, KnownInspections } from './known-inspections.ts'

/** A repository as one project reaches it. */
interface OfRepository {
  repoUrl: string
  project: string
}

type BranchQuestion = MessageInitShape<typeof GetBranchRequestSchema> & OfRepository
/** The chart whose archive a revision is; absent for a commit. */
interface OfChart {
  chart?: { name: string; version: string }
}
type ResolveQuestion = MessageInitShape<typeof ResolveRevisionsRequestSchema> & OfRepository
/** The fields of a commit besides the directories of a branch. */
type CommitHeader = MessageInitShape<typeof CommitManifestsSchema> & OfRepository

/** A first hydration of many thousand directories takes its time; commit-server ends no call before this. */
export const maxRunMs = 30 * 60_000

/** The first run of those that a dry commit starts waits this long for the others. */
const gatherMs = 2
const maxRunsTogether = 64
const maxSourcesTogether = 50
const maxLengthTogether = 64 * 1024
/** A branch whose sources take longer to inspect is asked about alone the next time, so that others do not wait for it again. */
const slowMs = 1_000
const maxSlowBranches = 1_000
const maxCommits = 256
const commitsMs = 60_000

/**
 * Calls that runs of different branches make at the same time, made once for all of them, so that the cost of a dry commit hardly grows with
 * the number of its branches. Each answer is newer than the run's question. A call that fails is made again by each run for itself, so
 * that one branch fails only for its own reasons.
 */
export class SharedCalls {
  readonly #repoServer: Client<typeof RepoServerService>
  readonly #commitServer: Client<typeof CommitServerService>
  readonly #revisions: Gathering<ResolveQuestion, ResolveRevisionsResponse | undefined>
  readonly #inspections: Gathering<InspectQuestion, readonly Inspection[] | undefined>
  readonly #branches: Gathering<BranchQuestion, GetBranchResponse | undefined>
  readonly #unchanged: Gathering<CommitHeader, CommitManifestsResponse | undefined>
  readonly #reading = new SharedWork<Commit | undefined>('reading a commit')
  readonly #commits = new LRUCache<string, Commit>({ max: maxCommits, ttl: commitsMs })
  readonly #slow = growingCache<string, true>(maxSlowBranches)
  readonly #known: KnownInspections

  constructor(
    repoServer: Client<typeof RepoServerService>,
    commitServer: Client<typeof CommitServerService>,
    reuse: Reuse,
  ) {
    this.#repoServer = repoServer
    this.#commitServer = commitServer
    this.#known = new KnownInspections(repoServer, reuse)
    this.#revisions = together('resolving revisions', async (questions, signal) => {
      const [first] = questions
      const answer = first && (await repoServer.resolveRevisions(first, { signal }))
      return questions.map(() => answer)
    })
    this.#inspections = together('inspecting sources', async (questions, signal) => {
      const [{ list: _list, ...first } = {}] = questions
      const sources = questions.flatMap(({ list }) => list.sources())
      const { inspections } = await repoServer.inspectSources({ ...first, sources }, { signal })
      let at = 0
      return questions.map(({ list }) => inspections.slice(at, (at += list.directories.length)))
    })
    this.#branches = together('reading branches', async (branches, signal) => {
      const { repoUrl, project } = repositoryOf(branches)
      const answer = await commitServer.getBranches({ repoUrl, project, branches: [...branches] }, { signal })
      return answer.branches.map((branch) => (branch.position ? branch : undefined))
    })
    this.#unchanged = together('committing branches', async (commits, signal) => {
      const { repoUrl, project } = repositoryOf(commits)
      const request = { repoUrl, project, commits: [...commits] }
      const answer = await commitServer.commitUnchanged(request, { signal, timeoutMs: maxRunMs })
      return answer.branches.map((branch) => (branch.hydratedSha === '' ? undefined : branch))
    })
  }

  /** `ResolveRevisions`; equal questions get one answer. */
  async resolveRevisions(request: ResolveQuestion, signal: AbortSignal): Promise<ResolveRevisionsResponse> {
    const answer = await this.#revisions.ask(JSON.stringify(request), request, signal)
    return answer ?? this.#repoServer.resolveRevisions(request, { signal })
  }

  /**
   * `InspectSources`; the sources of several branches at one commit are sent together, those of a large branch only when repo-server does not know
   * them.
   * @param key of the branch
   */
  async inspectSources(key: string, question: InspectQuestion, signal: AbortSignal): Promise<Inspections> {
    const { list, ...request } = question
    const { repoUrl, project, sha, chart, verification, withoutCommands } = request
    const isLarge = list.directories.length > maxSourcesTogether || list.optionsLength > maxLengthTogether
    if (isLarge) return this.#known.inspect(question, signal)
    const started = performance.now()
    const { referenced, defaultTools } = request
    const shared = JSON.stringify([
      repoUrl,
      project,
      sha,
      chart,
      verification,
      withoutCommands,
      referenced,
      defaultTools,
    ])
    const answer = this.#slow.has(key) ? undefined : await this.#inspections.ask(shared, question, signal)
    const found =
      answer ??
      (await this.#repoServer.inspectSources({ ...request, sources: list.sources() }, { signal })).inspections
    if (performance.now() - started > slowMs) this.#slow.set(key, true)
    else this.#slow.delete(key)
    return VersionedMap.of(found.entries())
  }

  /**
   * `GetCommit`; a commit that was read is known for a minute.
   * @throws NotFoundError
   */
  async getCommit(request: OfRepository & OfChart & { sha: string }, signal: AbortSignal): Promise<Commit> {
    const { repoUrl, project, sha, chart } = request
    const key = `${repoUrl}\n${project}\n${chart?.name ?? ''}\n${sha}`
    const known = this.#commits.get(key)
    if (known) return known
    const commit = await this.#reading.run(
      key,
      signal,
      async (shared) => (await this.#repoServer.getCommit(request, { signal: shared })).commit,
    )
    if (!commit) throw new Error('repo-server returned no commit')
    this.#commits.set(key, commit)
    return commit
  }

  /** `GetBranch`; the branches of a repository are read with one request to it. */
  async getBranch(request: BranchQuestion, signal: AbortSignal): Promise<GetBranchResponse> {
    const answer = await this.#branches.ask(repositoryText(request), request, signal)
    return answer ?? this.#commitServer.getBranch(request, { signal })
  }

  /**
   * `CommitUnchanged` for one of the branches of a repository; undefined when it has to be committed alone, which reports what is
   * wrong.
   */
  async commitUnchanged(
    header: CommitHeader,
    signal: AbortSignal,
  ): Promise<CommitManifestsResponse | undefined> {
    const { message = '', metadata = '', removedPaths = [] } = header
    if (message.length + metadata.length + removedPaths.join().length > maxLengthTogether) return undefined
    return this.#unchanged.ask(repositoryText(header), header, signal)
  }
}

/** Asks for several runs together; one run, and those of a call that failed, are left to ask for themselves. */
function together<Question, Answer>(
  label: string,
  answer: (questions: readonly Question[], signal: AbortSignal) => Promise<readonly (Answer | undefined)[]>,
): Gathering<Question, Answer | undefined> {
  return new Gathering({
    label,
    milliseconds: gatherMs,
    most: maxRunsTogether,
    answer: async (questions, signal) => {
      const none = questions.map(() => undefined)
      if (questions.length < 2) return none
      try {
        return await answer(questions, signal)
      } catch {
        return none
      }
    },
  })
}

function repositoryOf(questions: readonly OfRepository[]): OfRepository {
  const [first] = questions
  return { repoUrl: first?.repoUrl ?? '', project: first?.project ?? '' }
}

function repositoryText({ repoUrl, project }: OfRepository): string {
  return `${repoUrl}\n${project}`
}
