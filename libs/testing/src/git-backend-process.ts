import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

// The program that `startGitBackend` starts: git's smart HTTP protocol on the socket that its argument names, answered by `git upload-pack`
// and `git receive-pack` with the arguments that `git http-backend` gives them. When its parent is gone it removes the socket's directory and ends.

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

/** A request, with its place in the protocol. */
interface GitRequest {
  service: string
  directory: string
  /** The request's `Git-Protocol`, for example `version=2`. */
  protocol: string
}

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  const root = decodeURIComponent(String(incoming.headers['x-git-root'] ?? ''))
  const route = /^\/(.+)\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(
    decodeURIComponent(url.pathname),
  )
  const [, name = '', action = ''] = route ?? []
  const request: GitRequest = {
    service: action === 'info/refs' ? (url.searchParams.get('service') ?? '') : action,
    directory: path.join(root, name),
    protocol: String(incoming.headers['git-protocol'] ?? ''),
  }
  const isService = ['git-upload-pack', 'git-receive-pack'].includes(request.service)
  const configured = statSync(path.join(request.directory, 'config'), { throwIfNoEntry: false })
  if (!isService || configured === undefined) {
    incoming.resume()
    response.writeHead(404).end()
  } else if (action === 'info/refs') {
    incoming.resume()
    const body = await advertisement(request, configured.mtimeMs)
    const type = `application/x-${request.service}-advertisement`
    response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }).end(body)
  } else {
    await exchange(request, incoming, response)
  }
}

/** The capabilities of upload-pack by protocol 2, which follow from a repository's configuration, by directory and time of its change. */
const capabilities = new Map<string, Buffer>()

async function advertisement(request: GitRequest, configured: number): Promise<Buffer> {
  const { service, directory, protocol } = request
  const isSecond = protocol === 'version=2'
  const key = `${configured} ${directory}`
  const known = service === 'git-upload-pack' && isSecond ? capabilities.get(key) : undefined
  if (known !== undefined) return known
  const child = startGit(request, '--http-backend-info-refs')
  child.stdin.end()
  const text = await buffer(child.stdout)
  if (service === 'git-upload-pack' && isSecond) capabilities.set(key, text)
  if (isSecond) return text
  const line = `# service=${service}\n`
  const length = (line.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(`${length}${line}0000`), text])
}

/** Sends the request's body to the service, and its answer back. */
async function exchange(
  request: GitRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const child = startGit(request, '--stateless-rpc')
  response.once('close', () => child.kill())
  const body = incoming.headers['content-encoding'] === 'gzip' ? incoming.pipe(createGunzip()) : incoming
  // A service may answer and end before it was sent everything. A pipeline would then destroy the connection with the answer on it.
  child.stdin.on('error', () => incoming.resume())
  body.pipe(child.stdin)
  const type = `application/x-${request.service}-result`
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache' })
  await pipeline(child.stdout, response)
}

function startGit(
  { service, directory, protocol }: GitRequest,
  flag: string,
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn('git', [service.slice('git-'.length), flag, directory], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROTOCOL: protocol,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}
