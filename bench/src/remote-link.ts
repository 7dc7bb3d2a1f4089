import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A long way to a server on this machine. */
export interface RemoteLink extends AsyncDisposable {
  /** Of the near end, on 127.0.0.1. */
  readonly port: number
  /** Returns the number of connections opened so far. */
  connections(): number
  /** Closes all connections, as a server does that has not heard of them for a while. */
  closeConnections(): void
}

/**
 * Opens a link to a port of 127.0.0.1 on which all bytes travel for half of a round trip each way. The handshake of TCP, which a
 * loopback does in no time, takes a whole one.
 */
export async function openRemoteLink(port: number, roundTripMs: number): Promise<RemoteLink> {
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer({ noDelay: true }, (near) => {
    connections++
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
    }
    const handshake = performance.now() + roundTripMs
    carry(near, far, roundTripMs / 2, handshake)
    carry(far, near, roundTripMs / 2, handshake)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const closeConnections = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    connections: () => connections,
    closeConnections,
    [Symbol.asyncDispose]: async () => {
      closeConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Carries bytes in their order, each for some time, and none before the handshake is over. */
function carry(from: Socket, to: Socket, milliseconds: number, handshake: number): void {
  let carried = Promise.resolve()
  const later = (work: () => void): void => {
    const at = Math.max(performance.now(), handshake) + milliseconds
    const before = carried
    carried = (async () => {
      await pause(Math.max(0, at - performance.now()))
      await before
      if (!to.destroyed) work()
    })()
  }
  from.on('data', (bytes: Buffer) => later(() => void to.write(bytes)))
  from.once('end', () => later(() => void to.end()))
  from.once('close', () => later(() => to.destroySoon()))
}
