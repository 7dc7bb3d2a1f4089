import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import { create, toBinary } from '@bufbuild/protobuf'
import {
  type AppStreamRequest,
  AppStreamRequestSchema,
  ConfigManagementPluginService,
} from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'

const prefixBytes = 5

/** The messages of a call with an archive in chunks of one size, as they go over the wire. */
export function uploadMessages(archive: Buffer, chunkBytes: number, checksum?: string): Buffer[] {
  const value = {
    appName: 'app',
    appRelPath: '.',
    checksum: checksum ?? createHash('sha256').update(archive).digest('hex'),
    size: BigInt(archive.length),
  }
  const messages = [framed(create(AppStreamRequestSchema, { request: { case: 'metadata', value } }))]
  for (let at = 0; at < archive.length; at += chunkBytes) {
    const chunk = archive.subarray(at, at + chunkBytes)
    messages.push(framed(create(AppStreamRequestSchema, { request: { case: 'file', value: { chunk } } })))
  }
  return messages
}

/** A caller that adds as little as can be to what the server takes: it writes messages that are ready. */
export class BareUploader implements Disposable {
  readonly #session: http2.ClientHttp2Session

  constructor(socket: string) {
    this.#session = http2.connect('http://localhost', { createConnection: () => net.connect(socket) })
  }

  /** Sends the messages, each in frames of its own as Argo CD's client does, and returns the gRPC status of the answer. */
  async upload(method: string, messages: readonly Buffer[]): Promise<string> {
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': `/${ConfigManagementPluginService.typeName}/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    let status: unknown
    stream.on('response', (headers) => {
      status = headers['grpc-status']
    })
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status']
    })
    const closed = once(stream, 'close')
    for (const message of messages) if (!stream.write(message)) await once(stream, 'drain')
    stream.end()
    stream.resume()
    await closed
    return String(status)
  }

  [Symbol.dispose](): void {
    this.#session.destroy()
  }
}

function framed(request: AppStreamRequest): Buffer {
  const bytes = toBinary(AppStreamRequestSchema, request)
  const message = Buffer.alloc(prefixBytes + bytes.length)
  message.writeUInt32BE(bytes.length, 1)
  message.set(bytes, prefixBytes)
  return message
}
