import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import {
  DomainError,
  FailedPreconditionError,
  NotFoundError,
  PermissionDeniedError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { hostAndPort } from '@wadi/git/network/network-policy.ts'
import { authorizationHeader, type GitCredentials } from '@wadi/git/remote/credentials.ts'
import {
  parseRepositoryUrl,
  redactUrl,
  type RepositoryUrl,
  type UrlPolicy,
} from '@wadi/git/remote/repository-url.ts'
import { connectionsTo } from '@wadi/git/network/connections.ts'
import { exchangeFailure } from '@wadi/git/smart-http/exchange-failure.ts'

/** Options of requests to servers of charts. */
export interface WebAccess {
  readonly policy: UrlPolicy
  /** The advice in a message about missing or wrong credentials. */
  readonly advice: string
  /** The credentials of the repository. */
  readonly credentials: GitCredentials
  /** True if requests for archives on hosts other than the index's carry the credentials. */
  readonly passesCredentials?: boolean
  /** Returns what is trusted of a host, where the credentials say nothing. */
  readonly trustOf?: ((host: string) => Promise<GitCredentials>) | undefined
  /** The content of the server, for a message about an odd answer; a repository of charts by default. */
  readonly serves?: string
  /** The addresses to connect to for a URL, none where any will do; throws to refuse it. */
  readonly addressesOf: (remote: RepositoryUrl) => Promise<readonly string[]>
}

/** A request. */
export interface WebRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The value of `Authorization`, instead of the credentials. */
  readonly authorization?: string
  /** Bytes beyond which the answer is refused. */
  readonly maxBytes: number
  /** Time limit for all of it, redirects included; 5 minutes by default. */
  readonly maxMs?: number
  /** Answers other than 200 that the caller understands. */
  readonly accepts?: readonly number[]
}

/** An answer that was read whole. */
export interface WebAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The final address, after redirects. */
  readonly url: string
}

const maxRedirects = 5
const defaultMaxMs = 5 * 60_000

/**
 * Gets what is at a URL. Redirects are followed, each address is checked, and credentials are sent to the scheme, host and port of the
 * first URL alone.
 * @throws UnavailableError, PermissionDeniedError, NotFoundError, ResourceExhaustedError, FailedPreconditionError; no message
 *   has credentials or the query of a URL
 */
export async function webRequest(
  access: WebAccess,
  request: WebRequest,
  signal: AbortSignal,
): Promise<WebAnswer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(request.maxMs ?? defaultMaxMs)])
  let { url } = request
  for (let redirects = 0; ; redirects++) {
    const isFirst = URL.parse(url)?.origin === URL.parse(request.url)?.origin
    const answer = await ask(access, { ...request, url }, isFirst, limited).catch((error: unknown) => {
      signal.throwIfAborted()
      if (error instanceof DomainError) throw error
      const { policy, credentials } = access
      throw exchangeFailure(error, { url: remoteOf(url, policy), credentials, signal })
    })
    const { status, headers } = answer
    if (status === 200 || request.accepts?.includes(status)) return answer
    const next = status >= 300 && status < 400 ? URL.parse(headers.location ?? '', url) : null
    if (next === null || redirects === maxRedirects) throw statusError(url, status, access)
    url = next.href
  }
}

async function ask(
  { policy, credentials, trustOf, addressesOf }: WebAccess,
  { url, headers, authorization, maxBytes }: WebRequest,
  isFirst: boolean,
  signal: AbortSignal,
): Promise<WebAnswer> {
  const parsed = new URL(url)
  const remote = remoteOf(url, policy)
  const addresses = await addressesOf(remote)
  const own = isFirst ? (authorization ?? authorizationHeader(credentials)) : undefined
  const { host, port } = hostAndPort(remote)
  const { proxy, noProxy } = credentials
  const way = { ...(proxy && { proxy }), ...(noProxy && { noProxy }) }
  const used = { ...(await trustOf?.(host)), ...(isFirst ? credentials : way) }
  const target = { url: remote, credentials: used, addresses, signal }
  const options = {
    host,
    port,
    path: parsed.pathname + parsed.search,
    headers: { 'user-agent': 'wadi', ...headers, ...(own !== undefined && { authorization: own }) },
    agent: connectionsTo(target),
    signal,
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = remote.transport === 'https' ? httpsRequest(options) : httpRequest(options)
  sent.once('response', resolve).on('error', reject).end()
  const response = await promise
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBytes) {
      response.destroy()
      throw new ResourceExhaustedError(`${redactUrl(url)} is larger than ${maxBytes} bytes`)
    }
    parts.push(part)
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts), url }
}

/** The query of a redirect may be a signature; the rest is checked apart from it. */
function remoteOf(url: string, policy: UrlPolicy): RepositoryUrl {
  const { origin, pathname } = new URL(url)
  return parseRepositoryUrl(`${origin}${pathname === '/' ? '/-' : pathname}`, policy)
}

function statusError(
  url: string,
  status: number,
  { advice, serves = 'a repository of charts' }: WebAccess,
): DomainError {
  const where = redactUrl(url)
  if (status === 401 || status === 403) {
    return new PermissionDeniedError(`${where} answers ${status}: ${advice}`)
  }
  if (status === 404 || status === 410) return new NotFoundError(`${where} does not exist`)
  if (status === 429 || status >= 500) return new UnavailableError(`${where} answers ${status}`)
  return new FailedPreconditionError(`${where} answers ${status}, which ${serves} does not`)
}
