import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InvalidInputError, ResourceExhaustedError, errorMessage } from '@wadi/errors/domain-error.ts'
import { isLfsPointer, lfsPointerMessage } from '@wadi/manifests/file-text.ts'

/** A file of a packed chart. */
export interface PackedFile {
  readonly name: string
  readonly content: Buffer
}

/** The largest size of an unpacked chart: Helm's own limit, in bytes. */
const maxChartBytes = 100 * 1024 ** 2
const maxEntries = 100_000

/**
 * The files of a packed chart whose names are wanted; the others are passed over without being kept.
 * @param place names the archive in messages
 * @throws ResourceExhaustedError when it unpacks to more than 100 MiB or 100,000 entries, InvalidInputError when it cannot be
 *   read
 */
export async function packedFiles(
  archive: Buffer,
  place: string,
  isWanted: (name: string) => boolean,
): Promise<PackedFile[]> {
  if (isLfsPointer(archive)) throw new InvalidInputError(lfsPointerMessage([place]))
  const { extract } = await import('tar-stream')
  const gunzip = createGunzip()
  let bytes = 0
  gunzip.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxChartBytes) {
      gunzip.destroy(
        new ResourceExhaustedError(`unpacks to more than ${maxChartBytes / 1024 ** 2} MiB`, {
          at: { file: place },
        }),
      )
    }
  })
  const entries = extract()
  gunzip.on('error', (error) => entries.destroy(error))
  Readable.from([archive]).pipe(gunzip).pipe(entries)
  const found: PackedFile[] = []
  let count = 0
  try {
    for await (const entry of entries) {
      count += 1
      if (count > maxEntries)
        throw new ResourceExhaustedError(`more than ${maxEntries} entries`, { at: { file: place } })
      const { name, type } = entry.header
      if (type !== 'file' || !isWanted(name)) {
        entry.resume()
        continue
      }
      const parts: Buffer[] = []
      for await (const part of entry) if (Buffer.isBuffer(part)) parts.push(part)
      found.push({ name, content: Buffer.concat(parts) })
    }
  } catch (error) {
    if (error instanceof ResourceExhaustedError) throw error
    throw new InvalidInputError(`cannot be unpacked: ${errorMessage(error)}`, {
      at: { file: place },
      cause: error,
    })
  } finally {
    gunzip.destroy()
    entries.destroy()
  }
  return found
}
