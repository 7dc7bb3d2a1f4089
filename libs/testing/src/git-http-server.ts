import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { simpleGit } from 'simple-git'

/** One HTTP request that the server received. */
export type GitHttpRequest = {
  method: string
  path: string
  service: 'git-upload-pack' | 'git-receive-pack'
  headers: IncomingHttpHeaders
  /** The user who gave a password, right or wrong. */
  user?: string
}

/** An answer in place of git's own. */
export type InjectedAnswer = { status: number; headers?: Record<string, string>; body?: string }

/** What a bare repository of the server differs in. */
export type ServedRepositoryOptions = {
  /** git configuration of the repository, for example `receive.advertiseAtomic`: `false`. */
  config?: Record<string, string>
  /** The text of a pre-receive hook, beginning with `#!`. */
  preReceive?: string
}

/** A smart-HTTP git server on the loopback interface. */
export type GitHttpServer = AsyncDisposable & {
  /** `http://127.0.0.1:<port>`. */
  url: string
  /** The folder that holds the bare repositories. */
  root: string
  /** Every request so far, oldest first. */
  requests: GitHttpRequest[]
  /** Makes an empty bare repository whose HEAD is `main`. */
  createRepository(
    name: string,
    options?: ServedRepositoryOptions,
  ): Promise<{ url: string; directory: string }>
  close(): Promise<void>
}

/**
 * Starts `git http-backend` behind node:http on a free port.
 *
 * @param options `root` defaults to a temporary folder that closing removes. With `users` (name to password) every
 *   request needs basic authentication. `onRequest` is asked about each authenticated request; a status that it
 *   returns is sent in place of git's answer, and while it waits, so does the client.
 */
export async function startGitHttpServer(
  options: {
    root?: string
    users?: Record<string, string>
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
    await serve(root, url, incoming, response)
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(asError(error)))
  })
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(0, '127.0.0.1', resolve)
  await listening
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
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
  await simpleGit().raw(['init', '--quiet', '--bare', '--initial-branch=main', directory])
  const git = simpleGit(directory)
  for (const [key, value] of Object.entries(options.config ?? {})) {
    await git.raw(['config', '--local', key, value])
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

async function serve(
  root: string,
  url: URL,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_PROJECT_ROOT: root,
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

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
