import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { FailedPreconditionError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { checkOuterHost, outerLookup } from './forge-address.ts'

/** The methods by which forges are asked. */
export type ForgeMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Whether a method changes nothing, so that asking again can do no harm. */
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
  /** Whether any certificate is taken. */
  insecure: boolean
  /** The certificates of the only authorities that are trusted; undefined for those that Node.js trusts. */
  authorities: string | undefined
  /** Whether the host may be in a private network. */
  mayBeInner: boolean
}

/** What a forge said. */
export interface ForgeResponse {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

const maxBodyBytes = 8 * 1024 * 1024
const maxRedirects = 3

/** Connections to forges, kept open between questions. */
export class ForgeConnections implements Disposable {
  readonly #http = new HttpAgent({ keepAlive: true })
  readonly #https = new HttpsAgent({ keepAlive: true })

  /**
   * Asks once; redirects are followed on the same host alone.
   * @throws FailedPreconditionError for a redirect to elsewhere, ResourceExhaustedError for an answer above 8 MiB,
   *   PermissionDeniedError for a host in a private network, errors of Node.js when there is no answer
   */
  async exchange(request: ForgeRequest, signal: AbortSignal): Promise<ForgeResponse> {
    let { url } = request
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#send({ ...request, url }, signal)
      const { location } = response.headers
      const isMoved = [301, 302, 307, 308].includes(response.status) && location !== undefined
      if (!isMoved || !isReading(request.method)) return response
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

  /** Closes what is open. */
  [Symbol.dispose](): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  async #send(request: ForgeRequest, signal: AbortSignal): Promise<ForgeResponse> {
    if (!request.mayBeInner) checkOuterHost(request.url)
    const sent = this.#request(request, signal)
    try {
      return await responseTo(sent, request.body)
    } catch (error) {
      // The server may close a kept connection at the moment when it is used again.
      if (!sent.reusedSocket || !isReset(error) || !isReading(request.method)) throw error
      return await responseTo(this.#request(request, signal), request.body)
    }
  }

  #request(request: ForgeRequest, signal: AbortSignal): ClientRequest {
    const { url, method, headers, mayBeInner, insecure, authorities } = request
    const options = { method, headers, signal, ...(!mayBeInner && { lookup: outerLookup }) }
    if (url.protocol === 'http:') return httpRequest(url, { ...options, agent: this.#http })
    return httpsRequest(url, {
      ...options,
      agent: this.#https,
      rejectUnauthorized: !insecure,
      ...(authorities !== undefined && { ca: authorities }),
    })
  }
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
