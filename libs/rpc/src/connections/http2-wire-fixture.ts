import { once } from 'node:events'
import net from 'node:net'

/** The types of HTTP/2 frames (RFC 9113, section 6). */
export const frameType = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, continuation: 9 }

/** One frame of HTTP/2 as bytes. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A field of a header list in HPACK, without an index and without Huffman coding; up to 126 bytes each. */
export function field(name: string, value: string): Buffer {
  const text = (part: string) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])
  return Buffer.concat([Buffer.from([0]), text(name), text(value)])
}

/** The head of a gRPC call. */
export function callHead(path: string): Buffer {
  const fields = { ':method': 'POST', ':scheme': 'http', ':path': path, ':authority': 'localhost' }
  const all = Object.entries({ ...fields, 'content-type': 'application/grpc', te: 'trailers' })
  return Buffer.concat(all.map(([name, value]) => field(name, value)))
}

/** Opens call number `index` of a connection and takes it back at once. */
export function openAndReset(index: number, head: Buffer): Buffer {
  const stream = 2 * index + 1
  const cancel = Buffer.from([0, 0, 0, 8])
  return Buffer.concat([frame(frameType.headers, 4, stream, head), frame(frameType.reset, 0, stream, cancel)])
}

/** A connection that speaks HTTP/2 without minding its rules. */
export async function openWire(port: number) {
  const socket = net.connect(port, '127.0.0.1')
  socket.resume()
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([once(socket, 'connect'), closed])
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(frame(frameType.settings, 0, 0))
  return {
    closed,
    /** Sends unless the peer has closed the connection; returns whether it was sent. */
    send: async (bytes: Buffer): Promise<boolean> => {
      if (socket.destroyed) return false
      await new Promise((resolve) => socket.write(bytes, resolve))
      return !socket.destroyed
    },
    [Symbol.dispose]: () => {
      socket.destroy()
    },
  }
}
