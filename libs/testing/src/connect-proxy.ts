import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** A proxy on the loopback interface that makes tunnels for `CONNECT`. */
export interface ConnectProxy extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string
  /** Target and answer of every request. */
  readonly requests: string[]
  /** The status returned instead of a tunnel; undefined for a tunnel. */
  refusal: number | undefined
}

/**
 * Starts a proxy that leads every name to one port of this machine, so that the name is known to it alone.
 * @param login `user:password` that it wants, if any
 */
export async function startConnectProxy(target: number, login?: string): Promise<ConnectProxy> {
  const requests: string[] = []
  const sockets = new Set<Duplex>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
  server.on('connect', (request, socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    const isKnown = wanted === undefined || request.headers['proxy-authorization'] === wanted
    const status = proxy.refusal ?? (isKnown ? 200 : 407)
    requests.push(`${request.url} ${status}`)
    if (status !== 200) {
      const asked = status === 407 ? 'Proxy-Authenticate: Basic realm="proxy"\r\n' : ''
      socket.end(`HTTP/1.1 ${status} Refused\r\n${asked}Connection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const through = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(through).pipe(socket)
    })
    sockets.add(through)
    through.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: ConnectProxy = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refusal: undefined,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
