import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The SHA-256 of an archive, 64 hexadecimal digits. */
export function archiveDigest(archive: Buffer): string {
  return createHash('sha256').update(archive).digest('hex')
}

/**
 * The archives of charts by digest, one file each and one for each owner: who may read a chart elsewhere has no right to it here. The
 * least recently used go when they are larger than the bound together.
 */
export class ChartArchives {
  readonly #directory: string
  readonly #maxBytes: number

  constructor(directory: string, maxBytes: number) {
    this.#directory = directory
    this.#maxBytes = maxBytes
  }

  /** Undefined for an archive that is not there, or whose file is damaged. */
  async read(digest: string, owner: string): Promise<Buffer | undefined> {
    const file = this.#file(digest, owner)
    const archive = await readFile(file).catch(() => undefined)
    if (archive === undefined || archiveDigest(archive) !== digest) return undefined
    await utimes(file, new Date(), new Date()).catch(() => undefined)
    return archive
  }

  /** Keeps an archive and returns its digest. */
  async write(archive: Buffer, owner: string): Promise<string> {
    const digest = archiveDigest(archive)
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const temporary = join(this.#directory, `.${randomUUID()}`)
    await writeFile(temporary, archive, { mode: 0o600 })
    const file = this.#file(digest, owner)
    await rename(temporary, file)
    await this.#shrink(file)
    return digest
  }

  #file(digest: string, owner: string): string {
    const name = createHash('sha256').update(`${digest}\n${owner}`).digest('hex')
    return join(this.#directory, `${name}.tgz`)
  }

  async #shrink(kept: string): Promise<void> {
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith('.tgz'))
    const files = await Promise.all(
      names.map(async (name) => {
        const found = await stat(join(this.#directory, name)).catch(() => undefined)
        return { name, size: found?.size ?? 0, usedAt: found?.mtimeMs ?? 0 }
      }),
    )
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= this.#maxBytes) return
      if (join(this.#directory, name) === kept) continue
      await rm(join(this.#directory, name), { force: true })
      bytes -= size
    }
  }
}
