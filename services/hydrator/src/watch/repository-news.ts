import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'

/** The times at which a hydrator learned of new commits of one repository, and in which way; the fields are those of the message `RepositoryNews`. */
interface News {
  repoUrl: string
  /** RFC 3339; empty for never. */
  webhookAt: string
  polledAt: string
}

const maxRepositories = 2_000

/** Remembers whether new commits of repositories were announced by webhooks or found by polls since this process started. */
export class RepositoryNews {
  readonly #byRepository = new Map<string, News>()

  /** Notes a webhook of a repository. */
  announced(repoUrl: string): void {
    this.#note(repoUrl, 'webhookAt')
  }

  /** Notes that a poll found a new commit of a repository. */
  found(repoUrl: string): void {
    this.#note(repoUrl, 'polledAt')
  }

  /** Returns what was noted. */
  list(): readonly News[] {
    return [...this.#byRepository.values()]
  }

  #note(repoUrl: string, field: 'webhookAt' | 'polledAt'): void {
    const key = repositoryIdentity(repoUrl)
    const known = this.#byRepository.get(key) ?? { repoUrl: key, webhookAt: '', polledAt: '' }
    if (this.#byRepository.size >= maxRepositories && !this.#byRepository.has(key)) return
    this.#byRepository.set(key, { ...known, [field]: new Date().toISOString() })
  }
}
