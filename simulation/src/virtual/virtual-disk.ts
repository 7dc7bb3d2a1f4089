import type { PathLike } from 'node:fs'

/** The files of all processes of a world, by path: each has its own directory, which outlives it. */
export class VirtualDisk {
  readonly #files = new Map<string, string>()

  /** The functions of `node:fs/promises` that the mesh uses. */
  readonly functions = {
    readFile: async (path: PathLike): Promise<string> => this.#read(String(path)),
    writeFile: async (path: PathLike, text: string): Promise<void> =>
      void this.#files.set(String(path), text),
    rename: async (from: PathLike, to: PathLike): Promise<void> => {
      this.#files.set(String(to), this.#read(String(from)))
      this.#files.delete(String(from))
    },
    rm: async (path: PathLike): Promise<void> => void this.#files.delete(String(path)),
    mkdir: async (): Promise<undefined> => undefined,
    readdir: async (): Promise<string[]> => [],
    stat: async (path: PathLike): Promise<{ size: number }> => ({ size: this.#read(String(path)).length }),
  }

  #read(path: string): string {
    const text = this.#files.get(path)
    if (text === undefined) throw Object.assign(new Error(`ENOENT: no such file ${path}`), { code: 'ENOENT' })
    return text
  }
}
