import { DomainError } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'

/** The kinds of requests to a forge. */
type ForgeTask = 'list' | 'comment' | 'status'

/** Returns the URL that credentials are stored for, as repositories are listed. */
interface OfRepository {
  repoUrl: string
  project: string
}

/** The refusals of forges that keep Wadi from reviews until somebody changes a right or a setting, for those who ask about a repository. */
export class ForgeFailures {
  /** By what the credentials are stored for. */
  readonly #messages = new Map<string, Map<ForgeTask, string>>()

  /**
   * Does something with a forge and remembers why it cannot be done; what trying again may help with is left out.
   * @throws the error of the work
   */
  async during<Result>(
    repository: OfRepository,
    task: ForgeTask,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const messages = this.#messages.get(keyOf(repository)) ?? new Map<ForgeTask, string>()
    try {
      const result = await work()
      messages.delete(task)
      return result
    } catch (error) {
      if (error instanceof DomainError && !error.retryable && error.code !== 'no-forge') {
        messages.set(task, error.message)
        this.#messages.set(keyOf(repository), messages)
      }
      throw error
    }
  }

  /** Returns the reason why reviews of a repository cannot be written; empty if none is known. */
  messageFor(repository: OfRepository): string {
    const [message] = this.#messages.get(keyOf(repository))?.values() ?? []
    return message === undefined ? '' : `pull requests are not reviewed as they should be: ${message}`
  }
}

function keyOf({ repoUrl, project }: OfRepository): string {
  return `${repositoryIdentity(repoUrl)}\n${project}`
}
