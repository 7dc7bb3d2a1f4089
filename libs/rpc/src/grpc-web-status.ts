import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import type { NodeServerRequest, NodeServerResponse } from './node-request.ts'

const grpcContentType = /^application\/grpc(-web)?(?:\+[\w-]+)?(?:;|$)/i
const trailerFlag = 0x80
const frameHeadBytes = 5
const unimplemented = 12

/**
 * Copies the trailers of a gRPC-web response without messages to its head. Argo CD's command line looks for the status
 * of a call nowhere else, and shows the message as it comes: it is percent-encoded no more than a header needs.
 * Other clients find the same trailers at the end of the body.
 */
export function withStatusInHead(
  request: NodeServerRequest,
  response: UniversalServerResponse,
): UniversalServerResponse {
  const { body } = response
  const isGrpcWeb = grpcContentType.exec(request.headers['content-type'] ?? '')?.[1] !== undefined
  if (!isGrpcWeb || !body) return response
  const header = new Headers(response.header)
  const chunks = body[Symbol.asyncIterator]()
  let isFirst = true
  const iterator: AsyncIterator<Uint8Array> = {
    // The head is sent when the first part of the body is there.
    async next() {
      const chunk = await chunks.next()
      if (isFirst && chunk.done !== true) copyTrailers(chunk.value, header)
      isFirst = false
      return chunk
    },
    async return() {
      return (await chunks.return?.()) ?? { done: true, value: undefined }
    },
    async throw(error) {
      return (await chunks.throw?.(error)) ?? { done: true, value: undefined }
    },
  }
  return { ...response, header, body: { [Symbol.asyncIterator]: () => iterator } }
}

/**
 * Answers a call in the gRPC protocol, or in that of gRPC-web, whose service or method is not there: for such callers a
 * status of HTTP is a broken connection. Returns whether the request was one.
 */
export function answerUnknownMethod(request: NodeServerRequest, response: NodeServerResponse): boolean {
  const contentType = request.headers['content-type'] ?? ''
  if (!grpcContentType.test(contentType)) return false
  const path = request.url?.split('?', 1)[0] ?? ''
  response.statusCode = 200
  response.setHeader('content-type', contentType)
  response.setHeader('grpc-status', String(unimplemented))
  response.setHeader('grpc-message', encodedMessage(`the method ${path} is unknown`))
  // Without a head sent before, the end is in it, and gRPC's clients read a status from no other head.
  response.end()
  // Nobody reads what the caller sends, and a body that is not read holds up the others of its connection.
  request.resume()
  return true
}

function copyTrailers(chunk: Uint8Array, header: Headers): void {
  const frame = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  if (frame.length < frameHeadBytes || (frame.readUInt8() & trailerFlag) === 0) return
  const lines = frame.toString('latin1', frameHeadBytes, frameHeadBytes + frame.readUInt32BE(1)).split('\r\n')
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    header.append(name, name === 'grpc-message' ? encodedMessage(decodeURIComponent(value)) : value)
  }
}

/** Encodes what a header cannot hold, and the percent sign. */
function encodedMessage(message: string): string {
  return message.replaceAll(/[^ -$&-~]+/g, encodeURIComponent)
}
