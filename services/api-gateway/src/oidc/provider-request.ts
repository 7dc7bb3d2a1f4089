import http from 'node:http'
import https from 'node:https'
import { Buffer } from 'node:buffer'

const maxBytes = 1024 * 1024
const timeoutMs = 10_000

/** A request to a provider. */
interface ProviderRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
  /** The authority of the provider's certificate, PEM; empty for those of the system. */
  rootCA: string
}

/** The answer of a provider. */
interface ProviderAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

/**
 * Asks a provider; redirects are not followed.
 * @throws Error when it does not answer within 10 s or with more than 1 MiB
 */
export function askProvider({
  url,
  method,
  headers,
  body,
  rootCA,
}: ProviderRequest): Promise<ProviderAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ProviderAnswer>()
  const options = { method, headers, signal: AbortSignal.timeout(timeoutMs) }
  const onResponse = (response: http.IncomingMessage): void => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > maxBytes) response.destroy(new Error(`the answer has more than ${maxBytes} bytes`))
    })
    response.on('error', reject)
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
  }
  const request = url.startsWith('https:')
    ? https.request(url, { ...options, ...(rootCA !== '' && { ca: rootCA }) }, onResponse)
    : http.request(url, options, onResponse)
  request.on('error', reject)
  request.end(body)
  return promise
}
