import { CanceledError, errorMessage } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { branchTools } from '@wadi/hydration/branch-tools.ts'
import { type Application, hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { type KeptVersions, keptVersions, nothingKept } from '../../tools/kept-versions.ts'
import type { ServerVersions } from '../../tools/server-versions.ts'
import type { LocalRepository } from './local-repository.ts'

/** The versions that the hydrated branches of Applications keep: as a server says, else as the checkout and its remote `origin` have them. */
export class BranchVersions {
  readonly #repository: LocalRepository
  readonly #repoUrl: string
  readonly #server: ServerVersions | undefined
  readonly #warn: (message: string) => void
  readonly #found = new Map<string, Promise<KeptVersions>>()

  constructor(
    repository: LocalRepository,
    repoUrl: string,
    server: ServerVersions | undefined,
    warn: (message: string) => void,
  ) {
    this.#repository = repository
    this.#repoUrl = repoUrl
    this.#server = server
    this.#warn = warn
  }

  /** Nothing is known of branches that are in another repository or were not fetched. */
  async of(application: Application): Promise<KeptVersions> {
    const { repoUrl, branch } = hydratedBranchOf(application) ?? {}
    if (repoUrl === undefined || branch === undefined) return nothingKept
    if (this.#server) return this.#server.of(repoUrl, branch)
    if (repositoryIdentity(repoUrl) !== repositoryIdentity(this.#repoUrl)) return nothingKept
    return this.#found.getOrInsertComputed(branch, () => this.#ofCheckout(branch))
  }

  async #ofCheckout(branch: string): Promise<KeptVersions> {
    try {
      const sha = await this.#repository.resolve(`refs/heads/${branch}`)
      if (sha === undefined) return nothingKept
      return keptVersions(await branchTools(await this.#repository.tree(sha)), `kept by branch ${branch}`)
    } catch (error) {
      if (error instanceof CanceledError) throw error
      this.#warn(`the versions that branch ${branch} keeps cannot be read: ${errorMessage(error)}`)
      return nothingKept
    }
  }
}
