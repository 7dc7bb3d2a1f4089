import { isShortOfProcesses, tooManyProcesses } from '@wadi/errors/machine-shortage.ts'
import { abortError } from '@wadi/concurrency/abort-error.ts'
import { DomainError } from '@wadi/errors/domain-error.ts'
import {
  accessRefused,
  authenticationFailed,
  repositoryMoved,
  repositoryNotFound,
} from '../process/git-failure.ts'
import { proxyRefused, tlsFailed, unreachable } from '../process/connection-failure.ts'
import { proxyOf, shownProxy } from '../network/proxy.ts'
import type { ServerWay } from '../network/server-way.ts'
import { redactUrl } from '../remote/repository-url.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { OddAnswerError } from './pkt-line.ts'

/** The codes of OpenSSL and Node.js for certificates and handshakes that fail. */
const tlsCode =
  /^(?:ERR_(?:SSL|TLS|OSSL)_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_)/

/** The error for an exchange that got no answer, or not a whole one. */
export function exchangeFailure(
  error: unknown,
  { url, credentials, signal }: Pick<RemoteTarget, 'url' | 'signal'> & { credentials: ServerWay },
): Error {
  if (signal.aborted) return abortError(signal, 'git')
  if (error instanceof DomainError || error instanceof OddAnswerError) return error
  const where = redactUrl(url.text)
  const code = codeOf(error)
  if (tlsCode.test(code)) return tlsFailed(where, reasonOf(error))
  if (code === 'ERR_PROXY_TUNNEL') return proxyRefused(where, proxyStatus(error))
  // The parser's own names for bytes that are not HTTP, and the decoder's for what is not gzip.
  if (/^(?:HPE_|Z_)/.test(code)) return unreachable(where, `its answer is not HTTP (${code})`)
  // What this machine lacks is not the server's fault.
  if (isShortOfProcesses(error)) {
    return tooManyProcesses(`cannot connect to ${where}: ${reasonOf(error)}`, { cause: error })
  }
  const proxy = proxyOf(url, credentials)
  const way = proxy === undefined ? '' : ` through the proxy ${shownProxy(proxy)}`
  return unreachable(where, reasonOf(error) + way)
}

/** The error for an answer with another status than 200. */
export function statusFailure(
  { url, credentials }: RemoteTarget,
  status: number,
  {
    location,
    'retry-after': retryAfter,
  }: { location?: string | undefined; 'retry-after'?: string | undefined },
): Error {
  const where = redactUrl(url.text)
  if (status === 407) return proxyRefused(where, status)
  if (status === 401) return authenticationFailed(where, credentials)
  if (status === 403) return accessRefused(where, credentials)
  if (status === 404 || status === 410) return repositoryNotFound(where, credentials)
  if (status >= 300 && status < 400) return repositoryMoved(url.text, location)
  const detail = `the requested URL returned error: ${status}`
  if (status !== 429 && status < 500) return new OddAnswerError(detail)
  const seconds = /^\d{1,5}$/.test(retryAfter ?? '') ? `; it asks to wait ${retryAfter} s` : ''
  return unreachable(where, detail + seconds)
}

function proxyStatus(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 0
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Returns the reason of an error; Node.js has one without a message for several tried addresses. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message === '' ? codeOf(error) : message).slice(0, 500)
}
