import { createHash } from 'node:crypto'
import { FailedPreconditionError, NotFoundError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { type Verification, verificationDigest } from '@wadi/hydration/source-verification.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { DryCommitRequest, DryRepositories, DryPathQuery } from './dry-repositories.ts'
import type { GuardedCluster, InputGuard } from './input-guard.ts'
import { commitVerification } from './commit-verification.ts'
import { type ClusterSecrets, readClusterSecrets } from './cluster-secrets.ts'
import { keyText, type QueryKey } from './query-key.ts'

/** The services and stores that generators read from. */
export interface InputSources {
  store: Pick<ResourceStore, 'get' | 'list'>
  repoServer: DryRepositories
  /** Answers a query from the cache, or runs it; without it queries are run. */
  fetchCached?: <Answer>(question: Query<Answer>, signal: AbortSignal) => Promise<Answer>
}

/** A commit that generators read. */
export interface DryCommit {
  readonly repoUrl: string
  readonly revision: string
  readonly project: string
  readonly sha: string
  /** Whose signatures the commit needs. */
  readonly verification: Verification
  /** Equal for commits with equal files; undefined before anything was listed. */
  treeId: string | undefined
}

/** The versions of everything that a run has read: unchanged inputs give unchanged results. */
export interface InputVersions {
  commits: readonly Readonly<DryCommit>[]
  /** Undefined for a run that read no clusters. */
  clusters: string | undefined
  /** The clusters that became Applications. */
  usedClusters: readonly GuardedCluster[]
  /** The repositories that were named without being read. */
  namedRepositories: readonly { repoUrl: string; project: string }[]
  answers: readonly { question: Query<unknown>; digest: string }[]
}

/** Something that is asked of others, for example the list of an organisation's repositories. */
export interface Query<Answer> {
  key: QueryKey
  /** The answer is JSON; equal answers make equal Applications. */
  ask: (signal: AbortSignal) => Promise<Answer>
}

/** Most files that repo-server gives in one answer. */
const filesPerRequest = 1_000

/** The inputs of the generators of one call, each read once; errors stay as the callee threw them. */
export class GeneratorInputs {
  readonly #sources: InputSources
  /** True if remotes are asked now, regardless of repo-server's cache. */
  readonly #refresh: boolean
  readonly #signal: AbortSignal
  readonly #guard: InputGuard
  /** True if the checks of the Applications report a project that does not exist. */
  readonly #checksProjectsLater: boolean
  readonly #questions = new Map<string, { question: Query<unknown>; answer: Promise<unknown> }>()
  readonly #commits = new Map<string, Promise<DryCommit>>()
  readonly #answers = new Map<string, Promise<string[]>>()
  readonly #files = new Map<string, Promise<Uint8Array[]>>()
  #clusters: Promise<ClusterSecrets> | undefined
  #uses = new InputUses()

  constructor(
    sources: InputSources,
    options: { refresh: boolean; guard: InputGuard; checksProjectsLater?: boolean; signal: AbortSignal },
  ) {
    this.#sources = sources
    this.#refresh = options.refresh
    this.#guard = options.guard
    this.#checksProjectsLater = options.checksProjectsLater ?? false
    this.#signal = options.signal
  }

  /** The answer to a question, which is asked once. */
  async answer<Answer>(question: Query<Answer>): Promise<Answer> {
    const key = keyText(question.key)
    this.#uses.questions.add(key)
    const known = this.#questions.get(key)?.answer as Promise<Answer> | undefined
    if (known) return known
    const { fetchCached } = this.#sources
    const answer = fetchCached ? fetchCached(question, this.#signal) : question.ask(this.#signal)
    this.#questions.set(key, { question, answer })
    return answer
  }

  /**
   * Makes sure that Applications may be made for the clusters.
   * @throws PermissionDeniedError
   */
  useClusters(clusters: readonly GuardedCluster[]): void {
    const others = clusters.flatMap(({ server, project }): [string, GuardedCluster][] => {
      const key = JSON.stringify([server, project])
      return this.#uses.clusters.has(key) ? [] : [[key, { server, project }]]
    })
    this.#guard.clusters(others.map(([, cluster]) => cluster))
    for (const [key, cluster] of others) this.#uses.clusters.set(key, cluster)
  }

  /**
   * Makes sure that a repository may be named that a generator found and does not read.
   * @throws PermissionDeniedError
   */
  async nameRepository(repoUrl: string, project: string): Promise<void> {
    await this.#guard.repository(repoUrl, project)
    this.#uses.repositories.set(JSON.stringify([repoUrl, project]), { repoUrl, project })
  }

  /** The clusters of the control plane. */
  clusters(): Promise<ClusterSecrets> {
    this.#uses.readsClusters = true
    this.#clusters ??= readClusterSecrets(this.#sources.store)
    return this.#clusters
  }

  /**
   * @throws PermissionDeniedError when the repository may not be read, FailedPreconditionError when it has no such
   *   revision
   */
  async commit(repoUrl: string, revision: string, project: string): Promise<DryCommit> {
    const commit = await once(this.#commits, [repoUrl, revision, project], () =>
      this.#resolve(repoUrl, revision, project),
    )
    this.#uses.commits.add(commit)
    return commit
  }

  /** The paths of a commit that match, sorted by bytes. */
  paths(commit: DryCommit, query: DryPathQuery): Promise<string[]> {
    const { repoUrl, project, sha } = commit
    return once(this.#answers, [repoUrl, project, sha, query], async () => {
      const { verification } = commit
      const request = { repoUrl, project, sha, verification, ...query }
      const { paths, treeId } = await this.#sources.repoServer.listPaths(request, { signal: this.#signal })
      commit.treeId = treeId
      return paths
    })
  }

  /** The contents of files of a commit in the given order; `spend` is called with the bytes of each part that is read. */
  files(commit: DryCommit, paths: readonly string[], spend: (bytes: number) => void): Promise<Uint8Array[]> {
    const { repoUrl, project, sha } = commit
    return once(this.#files, [repoUrl, project, sha, paths], async () => {
      const contents: Uint8Array[] = []
      for (let at = 0; at < paths.length; at += filesPerRequest) {
        contents.push(...(await this.#read(commit, paths.slice(at, at + filesPerRequest), spend)))
      }
      return contents
    })
  }

  /** Returns the versions of the inputs used so far. */
  async versions(): Promise<InputVersions> {
    const { commits, clusters, repositories, questions, readsClusters } = this.#uses
    const asked = [...this.#questions].filter(([key]) => questions.has(key))
    const answers = asked.map(async ([, { question, answer }]) => ({
      question,
      digest: digestOf(await answer),
    }))
    return {
      commits: [...commits],
      clusters: readsClusters ? (await this.#clusters)?.version : undefined,
      usedClusters: [...clusters.values()],
      namedRepositories: [...repositories.values()],
      answers: await Promise.all(answers),
    }
  }

  /**
   * True if everything that another run read is unchanged and may be read now; it then counts as used. False if it
   * cannot be read, which generators then report.
   */
  async areAt(versions: InputVersions): Promise<boolean> {
    const areEqual = await this.#areEqual(versions)
    // Generators now may use less than that run did.
    if (!areEqual) this.#uses = new InputUses()
    return areEqual
  }

  async #areEqual({ commits, clusters, ...others }: InputVersions): Promise<boolean> {
    if (clusters !== undefined && (await this.clusters()).version !== clusters) return false
    const checks = [
      ...commits.map((commit) => this.#isAt(commit)),
      ...others.answers.map(({ question, digest }) => this.#isAnswered(question, digest)),
      ...others.namedRepositories.map(async ({ repoUrl, project }) => {
        await this.nameRepository(repoUrl, project)
        return true
      }),
      (async () => {
        this.useClusters(others.usedClusters)
        return true
      })(),
    ]
    const settled = await Promise.allSettled(checks)
    return settled.every((check) => check.status === 'fulfilled' && check.value)
  }

  async #isAnswered(question: Query<unknown>, digest: string): Promise<boolean> {
    return digestOf(await this.answer(question)) === digest
  }

  async #isAt(known: Readonly<DryCommit>): Promise<boolean> {
    const commit = await this.commit(known.repoUrl, known.revision, known.project)
    // Other policies or keys may refuse what was read before.
    if (verificationDigest(commit.verification) !== verificationDigest(known.verification)) return false
    if (commit.sha === known.sha) {
      commit.treeId ??= known.treeId
      return true
    }
    if (known.treeId === undefined) return false
    await this.paths(commit, { kind: 'directories', includes: [], excludes: [], hidden: false })
    return commit.treeId === known.treeId
  }

  async #resolve(repoUrl: string, revision: string, project: string): Promise<DryCommit> {
    await this.#guard.repository(repoUrl, project)
    const request = { repoUrl, project, revisions: [revision], refresh: this.#refresh }
    const { revisions } = await this.#sources.repoServer.resolveRevisions(request, { signal: this.#signal })
    const { sha = '', error = 'repo-server returned no commit' } = revisions[0] ?? {}
    if (sha === '') throw new FailedPreconditionError(`${redactUrl(repoUrl)}: ${error}`)
    const asked = { repoUrl, revision, project, checksProjectsLater: this.#checksProjectsLater }
    const verification = await commitVerification(this.#sources.store, asked)
    return { repoUrl, revision, project, sha, verification, treeId: undefined }
  }

  /** Nobody knows beforehand whether files fit one answer: halves are requested when they do not. */
  async #read(
    commit: DryCommit,
    paths: readonly string[],
    spend: (bytes: number) => void,
  ): Promise<Uint8Array[]> {
    const { repoUrl, project, sha, verification } = commit
    const contents = await this.#readAtOnce({ repoUrl, project, sha, verification, paths: [...paths] })
    if (contents) {
      spend(contents.reduce((bytes, content) => bytes + content.length, 0))
      return contents
    }
    const half = Math.ceil(paths.length / 2)
    return [
      ...(await this.#read(commit, paths.slice(0, half), spend)),
      ...(await this.#read(commit, paths.slice(half), spend)),
    ]
  }

  /** The contents, undefined when several files are too much for one answer. */
  async #readAtOnce(request: DryCommitRequest & { paths: string[] }): Promise<Uint8Array[] | undefined> {
    try {
      return (await this.#sources.repoServer.readFiles(request, { signal: this.#signal })).contents
    } catch (error) {
      if (error instanceof NotFoundError) {
        throw new FailedPreconditionError(`${redactUrl(request.repoUrl)}: ${error.message}`, { cause: error })
      }
      if (!(error instanceof ResourceExhaustedError) || request.paths.length < 2) throw error
      return undefined
    }
  }
}

/** The inputs that the results of a run depend on. */
class InputUses {
  readonly commits = new Set<DryCommit>()
  readonly clusters = new Map<string, GuardedCluster>()
  readonly repositories = new Map<string, { repoUrl: string; project: string }>()
  /** The texts of the keys of questions. */
  readonly questions = new Set<string>()
  readsClusters = false
}

function digestOf(answer: unknown): string {
  return createHash('sha256').update(JSON.stringify(answer)).digest('base64url')
}

function once<T>(answers: Map<string, Promise<T>>, key: unknown, ask: () => Promise<T>): Promise<T> {
  const text = JSON.stringify(key)
  const answer = answers.get(text) ?? ask()
  answers.set(text, answer)
  return answer
}
