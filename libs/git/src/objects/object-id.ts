import { hash } from 'node:crypto'

/** The id that git gives an object of these bytes, in hexadecimal; in a mirror, which names objects by SHA-1, unless another algorithm is named. */
export function objectId(type: 'blob' | 'commit', content: Buffer, algorithm = 'sha1'): string {
  return hash(algorithm, Buffer.concat([objectHeader(type, content), content]))
}

/** The bytes that git puts before an object. */
export function objectHeader(type: 'blob' | 'commit', content: Buffer): Buffer {
  return Buffer.from(`${type} ${content.length}\0`)
}
