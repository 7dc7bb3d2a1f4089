import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Passes TCP connections on to a server, and disturbs them as a test wants it. */
export interface TcpRelay extends AsyncDisposable {
  readonly port: number
  /** Connections that are open now. */
  readonly connections: number
  /** Connections since the start. */
  readonly accepted: number
  /** Passes nothing on in either direction, and leaves all connections open. */
  freeze(): void
  thaw(): void
  /** Breaks all connections. */
  cut(): void
  /** Breaks all connections and refuses new ones until `accept`. */
  refuse(): void
  accept(): void
}

/** Starts a relay on a free port to a port of this machine. */
export async function startTcpRelay(targetPort: number): Promise<TcpRelay> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  let isRefusing = false
  let accepted = 0
  const server = createServer((client) => {
    if (isRefusing) {
      client.resetAndDestroy()
      return
    }
    accepted++
    const target = connect(targetPort, '127.0.0.1')
    const pair = [client, target] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [target, client] as const]) {
      from.setNoDelay(true)
      from.on('data', (chunk) => void to.write(chunk))
      from.on('end', () => void to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
      if (isFrozen) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  const sockets = () => [...pairs].flat()
  const cut = () => {
    for (const socket of sockets()) socket.destroy()
  }
  return {
    port: address.port,
    get connections() {
      return pairs.size
    },
    get accepted() {
      return accepted
    },
    freeze: () => {
      isFrozen = true
      for (const socket of sockets()) socket.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const socket of sockets()) socket.resume()
    },
    cut,
    refuse: () => {
      isRefusing = true
      cut()
    },
    accept: () => {
      isRefusing = false
    },
    [Symbol.asyncDispose]: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
