import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

const checksumFile = 'SHA256SUMS'

/** Returns the SHA-256 of each file of a directory, in hexadecimal, by its name. */
async function checksums(directory: string): Promise<ReadonlyMap<string, string>> {
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

/**
 * Returns the SHA-256 of each file that `SHA256SUMS` names, by its name.
 * @throws Error for a file that is missing or changed
 */
export async function verifiedChecksums(directory: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(directory, checksumFile), 'utf8')
  const found = await checksums(directory)
  const named = new Map<string, string>()
  for (const [, digest = '', name = ''] of text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)) {
    if (found.get(name) !== digest) throw new Error(`${name} is not what ${checksumFile} says`)
    named.set(name, digest)
  }
  return named
}

/**
 * Returns the path of a file of a release.
 * @param digests the `verifiedChecksums` of its directory
 */
export function releaseFile(directory: string, digests: ReadonlyMap<string, string>, name: string): string {
  if (!digests.has(name)) throw new Error(`${checksumFile} does not name ${name}`)
  return path.join(directory, name)
}
