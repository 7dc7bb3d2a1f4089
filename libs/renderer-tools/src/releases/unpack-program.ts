import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import {
  DomainError,
  errorMessage,
  FailedPreconditionError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { shortageOf } from '@wadi/errors/machine-shortage.ts'
import type { ToolName } from '@wadi/hydration/tool-versions.ts'

/** The largest size of an unpacked archive; the largest releases have 70 MiB. */
const maxUnpackedBytes = 512 * 1024 ** 2
const maxEntries = 1_000

/**
 * Reads the program of a release's archive (tar.gz) and returns its SHA-256 in hex; nothing else of it is unpacked.
 * @param to the file to write, which must not be there; undefined for the digest alone
 * @throws FailedPreconditionError for an archive that is broken, has no such program or a link in its place; ResourceExhaustedError for
 *   one that unpacks to more than 512 MiB; DiskFullError
 */
export async function unpackProgram(archive: Buffer, tool: ToolName, to?: string): Promise<string> {
  const { extract } = await import('tar-stream')
  const gunzip = createGunzip()
  let bytes = 0
  gunzip.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxUnpackedBytes) return
    gunzip.destroy(
      new ResourceExhaustedError(`the archive unpacks to more than ${maxUnpackedBytes / 1024 ** 2} MiB`),
    )
  })
  const entries = extract()
  gunzip.on('error', (error) => entries.destroy(error))
  // An entry that ends early says no more than that its stream was destroyed.
  let broken: Error | undefined
  entries.on('error', (error) => (broken ??= error))
  Readable.from([archive]).pipe(gunzip).pipe(entries)
  let digest: string | undefined
  let count = 0
  try {
    for await (const entry of entries) {
      count += 1
      if (count > maxEntries)
        throw new FailedPreconditionError(`the archive has more than ${maxEntries} entries`)
      const { name, type } = entry.header
      // As Helm and Kustomize pack it: `linux-amd64/helm`, `kustomize`.
      if (!new RegExp(`^(?:\\./)?(?:[a-z0-9]+-[a-z0-9]+/)?${tool}$`).test(name)) {
        entry.resume()
        continue
      }
      if (type !== 'file')
        throw new FailedPreconditionError(`${name} of the archive is a ${type} in the place of a program`)
      if (digest !== undefined) throw new FailedPreconditionError(`the archive has ${tool} twice`)
      digest = await keepProgram(entry, to)
    }
  } catch (error) {
    const shortage = shortageOf(error)
    if (shortage) throw shortage
    if (error instanceof DomainError) throw error
    throw new FailedPreconditionError(`the archive cannot be unpacked: ${errorMessage(broken ?? error)}`, {
      cause: error,
    })
  } finally {
    gunzip.destroy()
    entries.destroy()
  }
  if (digest === undefined) throw new FailedPreconditionError(`the archive has no program ${tool}`)
  return digest
}

async function keepProgram(entry: AsyncIterable<unknown>, to: string | undefined): Promise<string> {
  const hash = createHash('sha256')
  await using file = to === undefined ? undefined : await open(to, 'wx', 0o755)
  for await (const part of entry) {
    if (!Buffer.isBuffer(part)) continue
    hash.update(part)
    await file?.writeFile(part)
  }
  return hash.digest('hex')
}
