import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Packages that are remembered, and the largest one, in bytes. */
const maxPackages = 64
const maxPackageBytes = 1024 * 1024

/**
 * Remembers what Helm made of a chart's directory, as many applications depend on one chart and packing it takes as
 * long as rendering. The least recently used packages are forgotten.
 */
export class PackagedCharts {
  readonly #packages = new Map<string, Buffer>()

  /** The package of a directory with these files; `pack` makes it the first time. */
  async read(helmVersion: string, directory: string, pack: () => Promise<Buffer>): Promise<Buffer> {
    const key = `${helmVersion} ${contentHash(directory)}`
    const known = this.#packages.get(key)
    const packed = known ?? (await pack())
    this.#packages.delete(key)
    if (packed.length <= maxPackageBytes) this.#packages.set(key, packed)
    const oldest = this.#packages.keys().next()
    if (this.#packages.size > maxPackages && !oldest.done) this.#packages.delete(oldest.value)
    return packed
  }
}

/** Covers the path and the bytes of every file; a sandbox holds no links. */
function contentHash(directory: string): string {
  const hash = createHash('sha256')
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) {
    const content = readFileSync(file)
    hash.update(JSON.stringify([file.slice(directory.length), content.length])).update(content)
  }
  return hash.digest('hex')
}
