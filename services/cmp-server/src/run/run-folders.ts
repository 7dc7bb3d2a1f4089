import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import { removeFolder } from './remove-folder.ts'
import {
  type ProcessMoment,
  killLeftOverProcesses,
  killStrayProcesses,
  processMoment,
} from './stray-processes.ts'

/** The private folder of one call; disposal removes it, and the processes that work in it. */
interface RunFolder extends AsyncDisposable {
  /** Without symbolic links. */
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

  /** Takes a folder for itself and removes what an earlier process left: the processes of its runs and their files. */
  static async create(folder: string): Promise<RunFolders> {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw unusableDirectory(folder, error)
    })
    const root = await realpath(folder)
    await killLeftOverProcesses(root)
    for (const name of await readdir(root)) await removeFolder(path.join(root, name))
    return new RunFolders(root)
  }

  /** Makes a folder that only this user can open. */
  open(): RunFolder {
    if (this.#isClosed) throw new UnavailableError('the service is shutting down')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#open.add(promise)
    const done = () => {
      this.#open.delete(promise)
      resolve()
    }
    const since = processMoment()
    try {
      const folder = mkdtempSync(path.join(this.#root, 'run-'))
      return { path: folder, [Symbol.asyncDispose]: () => clear(folder, since).finally(done) }
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

async function clear(folder: string, since: ProcessMoment | undefined): Promise<void> {
  await killStrayProcesses(folder, since)
  await removeFolder(folder)
}
