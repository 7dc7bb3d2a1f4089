import { mkdtempSync } from 'node:fs'
import { mkdir, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import { removeDirectory } from './remove-directory.ts'
import {
  type ProcessMoment,
  killLeftOverProcesses,
  killStrayProcesses,
  processMoment,
} from './stray-processes.ts'

/** The private directory of one call; disposal removes it, and the processes that work in it. */
interface RunDirectory extends AsyncDisposable {
  /** Without symbolic links. */
  path: string
}

/** The directories of the calls under way; disposal waits until the last is removed. */
export class RunDirectories implements AsyncDisposable {
  readonly #root: string
  readonly #open = new Set<Promise<void>>()
  #isClosed = false

  private constructor(root: string) {
    this.#root = root
  }

  /** Takes a directory for itself and removes what an earlier process left: the processes of its runs and their files. */
  static async create(directory: string): Promise<RunDirectories> {
    await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw unusableDirectory(directory, error)
    })
    const root = await realpath(directory)
    await killLeftOverProcesses(root)
    for (const name of await readdir(root)) await removeDirectory(path.join(root, name))
    return new RunDirectories(root)
  }

  /** Makes a directory that only this user can open. */
  open(): RunDirectory {
    if (this.#isClosed) throw new UnavailableError('the service is shutting down')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#open.add(promise)
    const done = () => {
      this.#open.delete(promise)
      resolve()
    }
    const since = processMoment()
    try {
      const directory = mkdtempSync(path.join(this.#root, 'run-'))
      return { path: directory, [Symbol.asyncDispose]: () => clear(directory, since).finally(done) }
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

async function clear(directory: string, since: ProcessMoment | undefined): Promise<void> {
  await killStrayProcesses(directory, since)
  await removeDirectory(directory)
}
