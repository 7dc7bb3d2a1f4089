import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pktLine } from './pkt-line.ts'

/**
 * For tests: a server of protocol 2 that has one branch and sends what it is given as the section of the pack.
 * @param features those of a fetch that it offers, such as `shallow filter`
 */
export async function startPackServer(
  head: string,
  send: (write: (channel: number, content: Buffer | string) => void) => 'end' | 'hang' | 'cut',
  features = '',
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isGet = request.method === 'GET'
      const type = `application/x-git-upload-pack-${isGet ? 'advertisement' : 'result'}`
      response.writeHead(200, { 'content-type': type })
      const offered = ['version 2\n', 'ls-refs\n', `fetch${features && `=${features}`}\n`]
      if (isGet) return response.end(`${offered.map(pktLine).join('')}0000`)
      if (Buffer.concat(chunks).includes('command=ls-refs')) {
        return response.end(`${pktLine(`${head} refs/heads/main\n`)}0000`)
      }
      response.write(pktLine('packfile\n'))
      const end = send((channel, content) => {
        const data = Buffer.concat([Buffer.from([channel]), Buffer.from(content)])
        response.write((data.length + 4).toString(16).padStart(4, '0'))
        response.write(data)
      })
      if (end === 'end') response.end('0000')
      if (end === 'cut') setImmediate(() => response.destroy())
      return undefined
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.git`,
    async [Symbol.asyncDispose]() {
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
      server.close(() => onClosed())
      server.closeAllConnections()
      await closed
    },
  }
}
