import { randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Rendered } from '@wadi/rendering/render-run.ts'

const sweepIntervalMs = 10 * 60_000

/**
 * Rendered sources by fingerprint, one file each. Equal fingerprints give equal bytes, so an entry never goes out of
 * date; the least recently used ones go when the folder grows over its bound.
 */
export class RenderCache implements AsyncDisposable {
  #directory: string
  #maxBytes: number
  #stop = new AbortController()
  #sweeping: Promise<void>

  constructor(directory: string, maxBytes: number) {
    this.#directory = directory
    this.#maxBytes = maxBytes
    this.#sweeping = this.#sweep()
  }

  async read(fingerprint: string): Promise<Rendered | undefined> {
    const file = this.#file(fingerprint)
    try {
      const { manifests, commands, tools, notices, parameters, files } = JSON.parse(
        await readFile(file, 'utf8'),
      ) as Partial<Rendered>
      if (!manifests || !commands || !tools || !notices || !parameters || !files) return undefined
      const now = new Date()
      await utimes(file, now, now)
      return { manifests, commands, tools, notices, parameters, files }
    } catch {
      // Absent, of another version, or cut short when the disk was full: it is rendered again.
      return undefined
    }
  }

  async write(fingerprint: string, rendered: Rendered): Promise<void> {
    const file = this.#file(fingerprint)
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
    const temporary = `${file}.${randomUUID()}`
    await writeFile(temporary, JSON.stringify(rendered), { mode: 0o600 })
    await rename(temporary, file)
  }

  /** Removes the files that were unused for longest until the rest is within the bound; happens every ten minutes by itself. */
  async shrink(): Promise<void> {
    const names = await readdir(this.#directory, { recursive: true }).catch(() => [])
    const files: { file: string; size: number; usedAt: number }[] = []
    for (const name of names) {
      const file = join(this.#directory, name)
      const stats = await stat(file).catch(() => undefined)
      if (stats?.isFile()) files.push({ file, size: stats.size, usedAt: stats.mtimeMs })
    }
    let total = files.reduce((sum, { size }) => sum + size, 0)
    for (const { file, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (total <= this.#maxBytes) return
      await rm(file, { force: true })
      total -= size
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#sweeping
  }

  #file(fingerprint: string): string {
    return join(this.#directory, fingerprint.slice(0, 2), fingerprint.slice(2))
  }

  async #sweep(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await delay(sweepIntervalMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await this.shrink()
    }
  }
}
