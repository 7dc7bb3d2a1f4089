import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const attempts = 5

/** Those that were looked at before; who got one may not listen yet. */
const given = new Set<number>()

/**
 * A port of 127.0.0.1 that nobody listens on, for programs that cannot choose one themselves. It is below those that Linux gives to
 * connections and to servers without a port of their own (net.ipv4.ip_local_port_range), so that none of them takes it meanwhile. Another
 * process may: what starts a program uses `onFreePorts`.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

/**
 * Starts what listens on free ports, and once more on others if it fails while somebody else has one of them.
 * @param start leaves nothing behind that listens when it fails
 */
export async function onFreePorts<Started>(
  count: number,
  start: (ports: readonly number[]) => Promise<Started>,
): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    try {
      return await start(ports)
    } catch (error) {
      const free = await Promise.all(ports.map(isFree))
      if (attempt === attempts || free.every(Boolean)) throw error
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  if (!(await promise)) return false
  server.close()
  await once(server, 'close')
  return true
}
