import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** The file that names all others of a release with their digests. */
export const checksumFile = 'SHA256SUMS'

/** Returns the SHA-256 of each file of a directory, in hexadecimal, by its name. */
export async function checksums(directory: string): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>()
  for (const name of (await readdir(directory)).toSorted()) {
    if (name === checksumFile) continue
    const hash = createHash('sha256')
    await pipeline(createReadStream(path.join(directory, name)), hash)
    digests.set(name, hash.digest('hex'))
  }
  return digests
}

/** Writes the file by which `sha256sum --check` verifies all others of a directory. */
export async function writeChecksums(directory: string): Promise<void> {
  const lines = [...(await checksums(directory))].map(([name, digest]) => `${digest}  ${name}\n`)
  await writeFile(path.join(directory, checksumFile), lines.join(''))
}
