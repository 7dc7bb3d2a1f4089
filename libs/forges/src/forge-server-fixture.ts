import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'

/** A forge on this machine. */
export interface ForgeServer extends AsyncDisposable {
  /** For example `http://127.0.0.1:4711`. */
  address: string
  /** The requests and their results, for example `GET /repos/a/b -> 304`. */
  log: string[]
  /** Answers that come in place of the true ones, the first one first; status 0 closes the connection. */
  rejections: { status: number; headers?: Record<string, string>; body?: string }[]
}

/** A forge's answer: one value, or a list that it gives in pages. */
export type ForgeReply = { body: unknown } | { items: readonly unknown[]; hasNoLink?: boolean }

/** The dialect of a forge. */
export interface ForgeDialect {
  /** Undefined for 404. */
  answer: (path: readonly string[], query: URLSearchParams) => ForgeReply | undefined
  /** The token that is wanted, as it comes in the headers. */
  token: (request: IncomingMessage) => string | undefined
  pageSizeParameter: string
  /** Items on one page, whatever is asked for. */
  maxItems: number
  /** The headers of a page of a list; `next` is the query of the following one. */
  pageHeaders: (page: {
    request: IncomingMessage
    path: string
    page: number
    next: string | undefined
    total: number
  }) => Record<string, string>
}

/** The token that every forge requires when it is set to require one. */
export const forgeToken = 'forge-token-3141'

/** Starts a forge; with `wantsToken` it knows nobody without the token. */
export async function startForgeServer(
  dialect: ForgeDialect,
  options: { wantsToken?: boolean; tls?: { key: string; cert: string } } = {},
): Promise<ForgeServer> {
  const log: string[] = []
  const rejections: ForgeServer['rejections'] = []
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://forge')
    response.once('finish', () => log.push(`${request.method} ${request.url} -> ${response.statusCode}`))
    const rejection = rejections.shift()
    if (rejection?.status === 0) {
      request.socket.destroy()
      return
    }
    if (rejection) {
      response.writeHead(rejection.status, rejection.headers).end(rejection.body ?? '{"message":"no"}')
      return
    }
    if (options.wantsToken === true && dialect.token(request) !== forgeToken) {
      response.writeHead(401).end('{"message":"Bad credentials"}')
      return
    }
    const path = url.pathname.slice(1).split('/').map(decodeURIComponent)
    const reply = dialect.answer(path, url.searchParams)
    if (!reply) response.writeHead(404).end('{"message":"Not Found"}')
    else answer(request, response, url, reply, dialect)
  }
  const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  return {
    address: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    log,
    rejections,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  reply: ForgeReply,
  { pageSizeParameter, maxItems, pageHeaders }: ForgeDialect,
): void {
  let body: unknown
  let headers: Record<string, string> = {}
  if ('body' in reply) {
    body = reply.body
  } else {
    const size = Math.min(Number(url.searchParams.get(pageSizeParameter) ?? 30), maxItems)
    const page = Number(url.searchParams.get('page') ?? 1)
    const following = new URLSearchParams(url.searchParams)
    following.set('page', String(page + 1))
    const next = page * size < reply.items.length ? `?${following.toString()}` : undefined
    body = reply.items.slice((page - 1) * size, page * size)
    headers = pageHeaders({ request, path: url.pathname, page, next, total: reply.items.length })
    if (reply.hasNoLink === true) delete headers['link']
  }
  const text = JSON.stringify(body)
  const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', etag, ...headers })
  response.end(request.method === 'HEAD' ? undefined : text)
}
