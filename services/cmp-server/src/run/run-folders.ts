import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { UnavailableError } from '@wadi/errors/domain-error.ts'

/** The private folder of one call; disposal removes it. */
interface RunFolder extends AsyncDisposable {
  path: string
}

/** The folders of the calls under way; disposal waits until the last is removed. */
export class RunFolders implements AsyncDisposable {
  readonly #root: string
  readonly #open = new Set<Promise<void>>()
  #isClosed = false

  private constructor(root: string) {
    this.#root = root
  }

  /** Takes a folder for itself and removes what an earlier process left in it. */
  static async create(root: string): Promise<RunFolders> {
    await mkdir(root, { recursive: true, mode: 0o700 })
    for (const name of await readdir(root)) await remove(path.join(root, name))
    return new RunFolders(root)
  }

  /** Makes a folder that only this user can open. */
  async open(): Promise<RunFolder> {
    if (this.#isClosed) throw new UnavailableError('the service is shutting down')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#open.add(promise)
    const done = () => {
      this.#open.delete(promise)
      resolve()
    }
    try {
      const folder = await mkdtemp(path.join(this.#root, 'run-'))
      return { path: folder, [Symbol.asyncDispose]: () => remove(folder).finally(done) }
    } catch (error) {
      done()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#open)
  }
}

/** A process that was killed just now may still write, hence the retries. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}
