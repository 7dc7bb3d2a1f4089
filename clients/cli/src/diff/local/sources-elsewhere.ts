import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import type { ChartSources } from './chart-sources.ts'
import type { BranchHead, GitSources } from './git-sources.ts'
import type { SourceFiles, SourcesElsewhere } from './source-files.ts'

/**
 * Finds sources that are not in the checkout, with the credentials that git and helm have on this machine. What does so is loaded when the
 * first one comes.
 * @param directory of what is kept between runs
 */
export class FoundElsewhere implements SourcesElsewhere, AsyncDisposable {
  readonly #directory: string
  readonly #environment: NodeJS.ProcessEnv
  readonly #signal: AbortSignal
  readonly #owned = new AsyncDisposableStack()
  readonly #found = new Map<string, Promise<SourceFiles>>()
  readonly #heads = new Map<string, Promise<BranchHead>>()
  #charts: Promise<ChartSources> | undefined
  #git: Promise<GitSources> | undefined

  constructor(directory: string, environment: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.#directory = directory
    this.#environment = environment
    this.#signal = signal
  }

  files(source: DrySource): Promise<SourceFiles> {
    const { repoURL, targetRevision, chart = '' } = source
    const key = JSON.stringify([repoURL, targetRevision, chart])
    return this.#found.getOrInsertComputed(key, () => this.#find(source))
  }

  /** The head of a branch of a git repository now; each is fetched once in a run. */
  branch(repoUrl: string, branch: string): Promise<BranchHead> {
    const key = JSON.stringify([repoUrl, branch])
    return this.#heads.getOrInsertComputed(key, async () =>
      (await this.#gitSources()).head(repoUrl, branch, this.#signal),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }

  async #find(source: DrySource): Promise<SourceFiles> {
    if (source.chart !== undefined) {
      this.#charts ??= import('./chart-sources.ts').then(
        (charts) => new charts.ChartSources(this.#directory, this.#environment),
      )
      return (await this.#charts).files({ ...source, chart: source.chart }, this.#signal)
    }
    return (await this.#gitSources()).files(source, this.#signal)
  }

  #gitSources(): Promise<GitSources> {
    return (this.#git ??= import('./git-sources.ts').then((git) =>
      this.#owned.use(new git.GitSources(this.#directory, this.#environment)),
    ))
  }
}
