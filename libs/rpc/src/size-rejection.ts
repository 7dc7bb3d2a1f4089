import type { UniversalServerResponse } from '@connectrpc/connect/protocol'

const tooManyRequests = 429
const contentTooLarge = 413

/**
 * Gives the rejection of a message that is too large the status 413. Connect maps its code, `resource_exhausted`, to 429,
 * which makes people wait and send the same again; Connect's clients read the code from the body.
 */
export async function withSizeStatus(response: UniversalServerResponse): Promise<UniversalServerResponse> {
  if (response.status !== tooManyRequests || !response.body) return response
  const chunks = await Array.fromAsync(response.body)
  const text = Buffer.concat(chunks).toString('utf8')
  const [, limit] = /message (?:size (?:\d+ )?)?is larger than configured readMaxBytes (\d+)/.exec(text) ?? []
  if (limit === undefined) return { ...response, body: iterated(chunks) }
  const message = `the request has more than the ${limit} bytes that are allowed`
  const body = Buffer.from(JSON.stringify({ code: 'resource_exhausted', message }))
  const header = new Headers(response.header)
  header.delete('content-length')
  return { ...response, status: contentTooLarge, header, body: iterated([body]) }
}

async function* iterated(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* chunks
}
