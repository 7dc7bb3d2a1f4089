import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import net from 'node:net'

/** One HTTP/2 frame, as far as a relay looks at it. */
interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
}

const frameTypes = { data: 0, headers: 1, reset: 3, ping: 6, goAway: 7 }
const endStream = 1
const acknowledged = 1
const prefaceBytes = 24
const headerBytes = 9
// What Argo CD's cmp-server is built with: pings at most every 10 s, and without a call none at all.
const leastPingIntervalMs = 10_000
const maxStrikes = 2

/**
 * Stands in front of an HTTP/2 server on a unix socket, counts what goes through and watches over pings as grpc-go does:
 * a client that pings too often is sent away with `too_many_pings`.
 */
export class Http2Relay implements AsyncDisposable {
  /** Connections so far. */
  connections = 0
  /** Pings of clients so far. */
  pings = 0
  /** Clients that were sent away for too many pings. */
  sentAway = 0
  readonly path: string
  readonly #upstream: string
  readonly #server: net.Server
  readonly #open = new Set<net.Socket>()
  readonly #clients = new Set<net.Socket>()

  private constructor(path: string, upstream: string) {
    this.path = path
    this.#upstream = upstream
    this.#server = net.createServer((socket) => this.#accept(socket))
  }

  /** Listens at `path` for a server at `upstream`. */
  static async listen(path: string, upstream: string): Promise<Http2Relay> {
    const relay = new Http2Relay(path, upstream)
    relay.#server.listen(path)
    await once(relay.#server, 'listening')
    return relay
  }

  /** Tells all clients that they ping too much, whether they did or not, and takes no more of them. */
  sendAway(): void {
    for (const client of this.#clients) {
      this.sentAway += 1
      client.end(tooManyPings())
    }
  }

  /** Breaks all connections at once, as the end of the server's process would. */
  breakConnections(): void {
    for (const socket of this.#open) socket.destroy()
  }

  /** Stops to listen, removes the socket and breaks what is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.breakConnections()
    await closed
    await rm(this.path, { force: true })
  }

  #accept(client: net.Socket): void {
    this.connections += 1
    const server = net.connect(this.#upstream)
    const policy = new PingPolicy()
    const fromClient = new FrameReader(prefaceBytes, (frame) => {
      if (frame.type === frameTypes.headers) policy.opened(frame.stream)
      if (frame.type === frameTypes.reset) policy.closed(frame.stream)
      if (frame.type !== frameTypes.ping || (frame.flags & acknowledged) !== 0) return
      this.pings += 1
      if (!policy.isTooMuch(performance.now())) return
      this.sentAway += 1
      client.end(tooManyPings())
    })
    const fromServer = new FrameReader(0, (frame) => {
      if (frame.type === frameTypes.headers || frame.type === frameTypes.data) policy.answered()
      const ends = frame.type === frameTypes.headers && (frame.flags & endStream) !== 0
      if (ends || frame.type === frameTypes.reset) policy.closed(frame.stream)
    })
    client.on('data', (bytes: Buffer) => fromClient.read(bytes))
    server.on('data', (bytes: Buffer) => fromServer.read(bytes))
    client.pipe(server).pipe(client)
    this.#clients.add(client)
    client.once('close', () => this.#clients.delete(client))
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        this.#open.delete(socket)
        other.destroy()
      })
    }
  }
}

/** The rules of grpc-go's keepalive enforcement. */
class PingPolicy {
  readonly #streams = new Set<number>()
  #hasAnswered = false
  #strikes = 0
  #last = -Infinity

  opened(stream: number): void {
    this.#streams.add(stream)
  }

  closed(stream: number): void {
    this.#streams.delete(stream)
  }

  answered(): void {
    this.#hasAnswered = true
  }

  /** Counts a ping. */
  isTooMuch(now: number): boolean {
    const since = now - this.#last
    this.#last = now
    if (this.#hasAnswered) {
      this.#hasAnswered = false
      this.#strikes = 0
      return false
    }
    if (since < (this.#streams.size === 0 ? Infinity : leastPingIntervalMs)) this.#strikes += 1
    return this.#strikes > maxStrikes
  }
}

/** Finds the frames in what passes by, whatever the pieces are. */
class FrameReader {
  #toSkip: number
  #header = Buffer.alloc(0)
  readonly #onFrame: (frame: Frame) => void

  constructor(prefaceLength: number, onFrame: (frame: Frame) => void) {
    this.#toSkip = prefaceLength
    this.#onFrame = onFrame
  }

  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const skipped = Math.min(this.#toSkip, bytes.length - at)
      at += skipped
      this.#toSkip -= skipped
      const part = bytes.subarray(at, at + headerBytes - this.#header.length)
      at += part.length
      this.#header = Buffer.concat([this.#header, part])
      if (this.#header.length < headerBytes) return
      this.#toSkip = this.#header.readUIntBE(0, 3)
      this.#onFrame({
        type: this.#header.readUInt8(3),
        flags: this.#header.readUInt8(4),
        stream: this.#header.readUInt32BE(5),
      })
      this.#header = Buffer.alloc(0)
    }
  }
}

function tooManyPings(): Buffer {
  const text = Buffer.from('too_many_pings')
  const frame = Buffer.alloc(headerBytes + 8)
  frame.writeUIntBE(8 + text.length, 0, 3)
  frame.writeUInt8(frameTypes.goAway, 3)
  frame.writeUInt32BE(0x7fff_ffff, headerBytes)
  // ENHANCE_YOUR_CALM
  frame.writeUInt32BE(0xb, headerBytes + 4)
  return Buffer.concat([frame, text])
}
