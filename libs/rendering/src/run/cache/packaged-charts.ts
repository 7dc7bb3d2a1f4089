import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'

const maxPackages = 64
const maxPackageBytes = 1024 * 1024

/**
 * Caches what Helm made of a chart's directory, as many applications depend on one chart and packing it takes as long as
 * rendering: 64 packages of at most 1 MiB each.
 */
export class PackagedCharts {
  readonly #packages = new LRUCache<string, Buffer>({ max: maxPackages })

  /** The package of a directory with these files; `pack` makes it the first time. */
  async read(helmVersion: string, directory: string, pack: () => Promise<Buffer>): Promise<Buffer> {
    const key = `${helmVersion} ${contentHash(directory)}`
    const known = this.#packages.get(key)
    if (known !== undefined) return known
    const packed = await pack()
    if (packed.length <= maxPackageBytes) this.#packages.set(key, packed)
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
