import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

// The program that `startGitBackend` starts: `git http-backend` behind node:http, on the socket that its argument names. When its
// parent is gone it removes the socket's folder and ends.

const [socket = ''] = process.argv.slice(2)

const server = createServer((incoming, response) => {
  serve(incoming, response).catch(() => response.destroy())
})
server.listen(socket, () => process.send?.('listening'))
// Who interrupts a terminal's programs ends the parent, which may still need answers.
process.on('SIGINT', () => undefined)
process.once('disconnect', () => {
  rmSync(path.dirname(socket), { recursive: true, force: true })
  process.exit()
})

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_PROJECT_ROOT: decodeURIComponent(String(incoming.headers['x-git-root'] ?? '')),
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(incoming.headers['git-protocol'] ?? ''),
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: incoming.method,
      CONTENT_TYPE: incoming.headers['content-type'] ?? '',
      CONTENT_LENGTH: incoming.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: incoming.headers['content-encoding'] ?? '',
      REMOTE_USER: 'test',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  response.once('close', () => backend.kill())
  // A backend that answers before it has read everything closes its end; the answer says what matters.
  pipeline(incoming, backend.stdin).catch(() => undefined)
  let head = Buffer.alloc(0)
  for await (const chunk of backend.stdout) {
    if (response.headersSent) {
      response.write(chunk)
      continue
    }
    head = Buffer.concat([head, Buffer.from(chunk)])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) continue
    const headers = parseHeaders(head.toString('latin1', 0, end))
    response.writeHead(Number.parseInt(headers.get('status') ?? '200', 10), [...headers].flat())
    response.write(head.subarray(end + 4))
  }
  if (!response.headersSent) response.writeHead(500)
  response.end()
}

function parseHeaders(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
