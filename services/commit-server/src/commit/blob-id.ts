import { createHash } from 'node:crypto'

/** The id that git gives a file of these bytes, in the hash whose ids have `idLength` hexadecimal digits. */
export function blobId(content: Buffer, idLength: number): string {
  return createHash(idLength === 64 ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex')
}
