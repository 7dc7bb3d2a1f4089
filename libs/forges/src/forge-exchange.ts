import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { FailedPreconditionError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { connectionsTo } from '@wadi/git/network/connections.ts'
import { proxyOf } from '@wadi/git/network/proxy.ts'
import type { ServerWay } from '@wadi/git/network/server-way.ts'
import { exchangeFailure } from '@wadi/git/smart-http/exchange-failure.ts'
import { checkOuterHost, checkOuterName, outerLookup } from './outer-host.ts'

/** The methods by which forges are asked. */
export type ForgeMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** True if a method changes nothing, so that a repetition does no harm. */
export function isReading(method: ForgeMethod): method is 'GET' | 'HEAD' {
  return method === 'GET' || method === 'HEAD'
}

/** One question to a forge. */
export interface ForgeRequest {
  method: ForgeMethod
  url: URL
  headers: Readonly<Record<string, string>>
  /** JSON, for methods that change something; undefined for none. */
  body?: string | undefined
  /** The way to the server. */
  way: ServerWay
  /** True if the host may be in a private network. */
  mayBeInner: boolean
  /** Recognizes a response that asks people to sign in, which is returned as it is. */
  isSignIn?: ((response: Pick<ForgeResponse, 'status' | 'headers'>) => boolean) | undefined
}

/** A forge's response. */
export interface ForgeResponse {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Asks a forge once. @throws DomainError and what connections throw */
export type ForgeExchange = (request: ForgeRequest, signal: AbortSignal) => Promise<ForgeResponse>

const maxBodyBytes = 8 * 1024 * 1024
const maxRedirects = 3

/**
 * Asks a forge once, over connections that are kept open between questions; redirects are followed on the same host alone.
 * @throws FailedPreconditionError for a redirect to elsewhere and for a server that is not trusted, ResourceExhaustedError for an answer
 *   above 8 MiB, PermissionDeniedError for a host in a private network, UnavailableError when there is no answer, and what the signal says
 */
export async function exchangeWithForge(request: ForgeRequest, signal: AbortSignal): Promise<ForgeResponse> {
  let { url } = request
  for (let redirects = 0; ; redirects += 1) {
    const response = await send({ ...request, url }, signal)
    const { location } = response.headers
    const isMoved = [301, 302, 307, 308].includes(response.status) && location !== undefined
    if (!isMoved || !isReading(request.method) || request.isSignIn?.(response)) return response
    const target = URL.parse(location, url)
    if (target?.origin !== url.origin || redirects === maxRedirects) {
      throw new FailedPreconditionError(
        redirects === maxRedirects
          ? `redirects more than ${maxRedirects} times`
          : `redirects to ${target?.origin ?? 'an address that is none'}; give the address of the API itself`,
      )
    }
    url = target
  }
}

async function send(request: ForgeRequest, signal: AbortSignal): Promise<ForgeResponse> {
  const { url, way, mayBeInner } = request
  const server = serverOf(url)
  const isProxied = proxyOf(server, way) !== undefined
  if (!mayBeInner) {
    checkOuterHost(url)
    // A proxy looks names up itself.
    if (isProxied) await checkOuterName(url)
  }
  const isLookedUp = !mayBeInner && !isProxied
  let sent: ClientRequest | undefined
  try {
    sent = open(request, isLookedUp, signal)
    return await responseTo(sent, request.body)
  } catch (error) {
    try {
      // The server may close a kept connection at the moment when it is used again.
      if (!sent?.reusedSocket || !isReset(error) || !isReading(request.method)) throw error
      return await responseTo(open(request, isLookedUp, signal), request.body)
    } catch (again) {
      signal.throwIfAborted()
      throw exchangeFailure(again, { url: server, credentials: way, signal })
    }
  }
}

function open(
  { url, method, headers, way }: ForgeRequest,
  isLookedUp: boolean,
  signal: AbortSignal,
): ClientRequest {
  const agent = connectionsTo({ url: serverOf(url), credentials: way, addresses: [] })
  const options = { method, headers, signal, agent, ...(isLookedUp && { lookup: outerLookup }) }
  return url.protocol === 'http:' ? httpRequest(url, options) : httpsRequest(url, options)
}

function serverOf({ origin, protocol, host }: URL): Parameters<typeof proxyOf>[0] {
  return { text: origin, transport: protocol === 'http:' ? 'http' : 'https', host }
}

async function responseTo(sent: ClientRequest, body: string | undefined): Promise<ForgeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.once('response', resolve).once('error', reject).end(body)
  const response = await promise
  return { status: response.statusCode ?? 0, headers: response.headers, body: await bodyOf(response) }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) {
      throw new ResourceExhaustedError(`the answer has more than ${maxBodyBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
