import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ServerOptions as TlsOptions } from 'node:https'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeEmptyRepository } from './empty-repository.ts'
import { answerByGitBackend } from './git-backend.ts'
import { runTestGit } from './test-git.ts'

/** One HTTP request that the server received. */
export type GitHttpRequest = {
  method: string
  path: string
  service: 'git-upload-pack' | 'git-receive-pack'
  headers: IncomingHttpHeaders
  /** The user who gave a password, right or wrong. */
  user?: string
}

/** An answer instead of git's own. */
export type InjectedAnswer = { status: number; headers?: Record<string, string>; body?: string }

/** Options of a bare repository of the server. */
export type ServedRepositoryOptions = {
  /** git configuration of the repository, for example `receive.advertiseAtomic`: `false`. */
  config?: Record<string, string>
  /** The text of a pre-receive hook, beginning with `#!`. */
  preReceive?: string
}

/** A smart-HTTP git server on the loopback interface. */
export type GitHttpServer = AsyncDisposable & {
  /** `http://127.0.0.1:<port>`, or https. */
  url: string
  /** The directory that holds the bare repositories. */
  root: string
  /** Every request so far, oldest first. */
  requests: GitHttpRequest[]
  /** Returns the number of connections opened so far. */
  connections(): number
  /** Returns the number of bytes that it sent so far. */
  sent(): number
  /** Closes every connection, as a server does that restarts. */
  closeConnections(): void
  /** Makes an empty bare repository whose HEAD is `main`. */
  createRepository(
    name: string,
    options?: ServedRepositoryOptions,
  ): Promise<{ url: string; directory: string }>
  close(): Promise<void>
}

/**
 * Serves bare repositories by the smart HTTP protocol of git on a free port.
 *
 * @param options `root` defaults to a temporary directory that closing removes. With `users` (name to password) every
 *   request needs basic authentication. `onRequest` is asked about each authenticated request; a status that it
 *   returns is sent instead of git's answer, and while it waits, so does the client. `containersCallIt` is the host of its
 *   URLs where containers shall reach it; it then listens on all interfaces, so give it `users`. With `tls` it serves https.
 */
export async function startGitHttpServer(
  options: {
    root?: string
    users?: Record<string, string>
    containersCallIt?: string
    tls?: TlsOptions
    onRequest?: (
      request: GitHttpRequest,
    ) => number | InjectedAnswer | undefined | Promise<number | InjectedAnswer | undefined>
  } = {},
): Promise<GitHttpServer> {
  const root = options.root ?? (await mkdtemp(path.join(tmpdir(), 'wadi-git-http-')))
  const requests: GitHttpRequest[] = []
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const login = readLogin(incoming)
    const request: GitHttpRequest = {
      method: incoming.method ?? 'GET',
      path: url.pathname,
      service: `${url.searchParams.get('service')}${url.pathname}`.includes('git-receive-pack')
        ? 'git-receive-pack'
        : 'git-upload-pack',
      headers: incoming.headers,
      ...(login === undefined ? {} : { user: login.user }),
    }
    requests.push(request)
    const { users } = options
    if (users !== undefined && (login === undefined || users[login.user] !== login.password)) {
      const headers = { 'www-authenticate': 'Basic realm="git"' }
      return answer(incoming, response, { status: 401, headers })
    }
    const injected = await options.onRequest?.(request)
    if (injected !== undefined) {
      return answer(incoming, response, typeof injected === 'number' ? { status: injected } : injected)
    }
    await answerByGitBackend(root, incoming, response)
  }
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    handle(incoming, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) {
        response.destroy(asError(error))
        return
      }
      console.error(`the test's git server failed at ${incoming.method} ${incoming.url}:`, error)
      response.writeHead(500).end()
    })
  }
  const { containersCallIt, tls } = options
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket))
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(0, containersCallIt === undefined ? '127.0.0.1' : '0.0.0.0', resolve)
  await listening
  const address = server.address()
  const scheme = tls === undefined ? 'http' : 'https'
  const url = `${scheme}://${containersCallIt ?? '127.0.0.1'}:${typeof address === 'object' ? address?.port : ''}`
  const close = async (): Promise<void> => {
    const { promise, resolve: closed } = Promise.withResolvers<void>()
    server.close(() => closed())
    server.closeAllConnections()
    await promise
    if (options.root === undefined) await rm(root, { recursive: true, force: true })
  }
  return {
    url,
    root,
    requests,
    connections: () => sockets.length,
    sent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    closeConnections: () => server.closeAllConnections(),
    async createRepository(name, repositoryOptions) {
      const directory = path.join(root, name)
      await createServedRepository(directory, repositoryOptions)
      return { url: `${url}/${name}`, directory }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Makes an empty bare repository for a test server, with HEAD at `main`. */
export async function createServedRepository(
  directory: string,
  options: ServedRepositoryOptions = {},
): Promise<void> {
  await writeEmptyRepository(directory, { bare: true })
  for (const [key, value] of Object.entries(options.config ?? {})) {
    await runTestGit(directory, ['config', '--local', key, value])
  }
  if (options.preReceive !== undefined) {
    await writeFile(path.join(directory, 'hooks', 'pre-receive'), options.preReceive, { mode: 0o755 })
  }
}

function readLogin(incoming: IncomingMessage): { user: string; password: string } | undefined {
  const encoded = /^Basic (.+)$/.exec(incoming.headers.authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

function answer(incoming: IncomingMessage, response: ServerResponse, injected: InjectedAnswer): void {
  incoming.resume()
  response.writeHead(injected.status, injected.headers).end(injected.body ?? '')
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
