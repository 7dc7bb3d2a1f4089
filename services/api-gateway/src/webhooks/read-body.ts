import type { NodeServerRequest } from '@wadi/rpc/node-request.ts'

/** Bytes of bodies that are read at a time, of all requests together. */
const maxTogether = 128 * 1024 * 1024

/** Longest time for one body to come in, in milliseconds. */
const timeoutMs = 30_000

/** The reason why a body was not read. */
export type BodyRejection = 'too large' | 'too slow' | 'too many'

/** Reads bodies of requests whose sender is not known yet. */
export type ReadBody = (request: NodeServerRequest, maxBytes: number) => Promise<Buffer | BodyRejection>

/** A reader that bounds what all bodies take together. */
export function createBodyReader(): ReadBody {
  let together = 0
  return async (request, maxBytes) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too large'
    const chunks: Buffer[] = []
    let length = 0
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      request.destroy()
    }, timeoutMs)
    try {
      for await (const chunk of request) {
        const bytes = chunk as Buffer
        length += bytes.length
        together += bytes.length
        if (length > maxBytes) return 'too large'
        if (together > maxTogether) return 'too many'
        chunks.push(bytes)
      }
      return Buffer.concat(chunks)
    } catch (error) {
      if (isLate) return 'too slow'
      throw error
    } finally {
      clearTimeout(timer)
      together -= length
    }
  }
}
