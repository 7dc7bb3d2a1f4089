import { once } from 'node:events'
import http from 'node:http'
import { pipeline } from 'node:stream/promises'

/** A server that passes what is below `/argo` on to another, as reverse proxies do. */
export async function startReverseProxy(target: string): Promise<AsyncDisposable & { address: string }> {
  const server = http.createServer((request, response) => {
    const { method, url = '', headers } = request
    if (!url.startsWith('/argo/')) {
      response.writeHead(404).end()
      return
    }
    const sent = http.request(`${target}${url.slice('/argo'.length)}`, { method, headers })
    sent.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response).catch(() => sent.destroy())
    })
    response.once('close', () => sent.destroy())
    pipeline(request, sent).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  return {
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
