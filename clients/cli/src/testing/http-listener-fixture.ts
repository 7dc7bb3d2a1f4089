import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'

/** Serves HTTP on a free port of this machine until it is disposed of. */
export async function listen(listener: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
