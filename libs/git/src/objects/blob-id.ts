import { hash } from 'node:crypto'

/** The id that git gives a file of these bytes in a mirror, which names objects by SHA-1. */
export function blobId(content: Buffer): string {
  return hash('sha1', Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]))
}
