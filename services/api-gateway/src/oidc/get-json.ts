import http from 'node:http'
import https from 'node:https'
import { UnavailableError } from '@wadi/errors/domain-error.ts'

const maxBytes = 1024 * 1024
const timeoutMs = 10_000

/**
 * Reads a JSON document of a provider; redirects are not followed.
 * @param rootCA the authority of its certificate, PEM; empty for those of the system
 * @throws UnavailableError
 */
export async function getJson(url: string, rootCA: string): Promise<unknown> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new UnavailableError(`the OpenID provider does not answer: GET ${url}: ${why}`, { cause })
  }
  try {
    return JSON.parse(await getText(url, rootCA))
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), error)
  }
}

function getText(url: string, rootCA: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = { signal: AbortSignal.timeout(timeoutMs), headers: { accept: 'application/json' } }
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
      if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(new Error(`status ${response.statusCode}`))
    })
  }
  const request = url.startsWith('https:')
    ? https.get(url, { ...options, ...(rootCA !== '' && { ca: rootCA }) }, onResponse)
    : http.get(url, options, onResponse)
  request.on('error', reject)
  return promise
}
