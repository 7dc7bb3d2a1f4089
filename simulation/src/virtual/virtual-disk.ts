import type { PathLike } from 'node:fs'
import type { Scheduler } from './scheduler.ts'

/** The files of all processes of a world, by path: each has its own directory, which outlives it. */
export class VirtualDisk {
  readonly #scheduler: Scheduler
  readonly #files = new Map<string, string>()
  /** The times until which accesses below directories take a step of their own, in milliseconds. */
  readonly #slowUntil = new Map<string, number>()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** The functions of `node:fs/promises` that the mesh uses. */
  readonly functions = {
    readFile: (path: PathLike) => this.#access(path, (name) => this.#read(name)),
    writeFile: (path: PathLike, text: string) =>
      this.#access(path, (name) => void this.#files.set(name, text)),
    rename: (from: PathLike, to: PathLike) =>
      this.#access(from, (name) => {
        this.#files.set(String(to), this.#read(name))
        this.#files.delete(name)
      }),
    rm: (path: PathLike) => this.#access(path, (name) => void this.#files.delete(name)),
    mkdir: async (): Promise<undefined> => undefined,
    readdir: async (): Promise<string[]> => [],
    stat: (path: PathLike) => this.#access(path, (name) => ({ size: this.#read(name).length })),
  }

  /** Has accesses below a directory take a while, until a time. */
  slowDown(directory: string, until: number): void {
    this.#slowUntil.set(directory, until)
  }

  async #access<Result>(path: PathLike, access: (name: string) => Result): Promise<Result> {
    const name = String(path)
    const isSlow = [...this.#slowUntil].some(
      ([directory, until]) => until > this.#scheduler.now && name.startsWith(directory),
    )
    if (isSlow) {
      await new Promise<void>((resolve) => {
        this.#scheduler.deliver(this.#scheduler.current, 'reaches its disk', resolve)
      })
    }
    return access(name)
  }

  #read(path: string): string {
    const text = this.#files.get(path)
    if (text === undefined) throw Object.assign(new Error(`ENOENT: no such file ${path}`), { code: 'ENOENT' })
    return text
  }
}
