import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openMirror, type Mirror } from '@wadi/git/mirror.ts'
import { normalizeRepositoryUrl, parseRepositoryUrl, type UrlPolicy } from '@wadi/git/repository-url.ts'
import { gitCredentials, selectSecret } from './repository-credentials.ts'
import type { RepositoryStore } from './repository-store.ts'

/**
 * The bare mirrors of one service, each opened once and kept open. A repository that is reached with a project's own
 * credentials has a mirror of its own, so no other project can read through it.
 */
export class MirrorPool implements AsyncDisposable {
  #options: { directory: string; policy: UrlPolicy; repositories: RepositoryStore }
  #mirrors = new Map<string, Promise<Mirror>>()

  constructor(options: { directory: string; policy: UrlPolicy; repositories: RepositoryStore }) {
    this.#options = options
  }

  /** @throws InvalidInputError for a URL that the policy refuses. */
  async open(url: string, project: string): Promise<Mirror> {
    const { directory, policy, repositories } = this.#options
    const { text } = parseRepositoryUrl(url, policy)
    const select = async () => selectSecret(await repositories.list(), text, project)
    const owner = (await select())?.project ?? ''
    const key = createHash('sha256')
      .update(`${normalizeRepositoryUrl(text)}\n${owner}`)
      .digest('hex')
      .slice(0, 40)
    const known = this.#mirrors.get(key)
    if (known) return known
    const opening = openMirror({
      directory: join(directory, `${key}.git`),
      url: text,
      policy,
      credentials: async () => {
        const secret = await select()
        return secret && gitCredentials(secret)
      },
    })
    this.#mirrors.set(key, opening)
    opening.catch(() => this.#mirrors.delete(key))
    return opening
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const mirrors = await Promise.allSettled(this.#mirrors.values())
    this.#mirrors.clear()
    for (const mirror of mirrors) {
      if (mirror.status === 'fulfilled') await mirror.value[Symbol.asyncDispose]()
    }
  }
}
