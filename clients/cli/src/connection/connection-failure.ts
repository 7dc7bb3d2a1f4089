import { Code, ConnectError } from '@connectrpc/connect'
import type { Interceptor } from '@connectrpc/connect'
import { proxyAdvice } from './stream-cuts.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/** The reasons why a connection failed, and advice for the user. */
const explanations: readonly (readonly [
  pattern: RegExp,
  explain: (url: string, reason: string) => string,
])[] = [
  [
    /wrong version number|packet length too long/i,
    (url) => `the server at ${url} does not use TLS: add --plaintext, or write http:// before its address`,
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired/i,
    (url) => `the certificate of ${url} has expired; --insecure accepts it`,
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/i,
    (url, reason) => `the certificate of ${url} is for another name (${reason}); --insecure accepts it`,
  ],
  [
    /self.signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate|unable to get local issuer/i,
    (url, reason) =>
      `the certificate of ${url} is signed by an unknown authority (${reason}): name the authority's ` +
      'file with --server-crt, or accept any certificate with --insecure',
  ],
  [
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/,
    (url, reason) => `no server answers at ${url} (${reason})`,
  ],
  [/^HTTP 504$/, (url) => `a proxy did not wait for the answer of ${url} (HTTP 504): ${proxyAdvice}`],
]

/** The errors of a plain HTTP call to a server that speaks TLS, and to one that stops in between. */
const closedEarly = /socket hang up|ECONNRESET|EPIPE|Parse Error: Expected HTTP/

/** Tells in users' words why a server cannot be reached, and what to do. */
export function explainConnectionFailure(url: string): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request)
    } catch (error) {
      if (error instanceof CommandFailure) throw error
      const failure = ConnectError.from(error)
      if (failure.isWireError) throw failure
      const reason = failure.rawMessage
      const explain = explanations.find(([pattern]) => pattern.test(reason))?.[1]
      if (explain) throw explained(failure, explain(url, reason), Code.Unavailable)
      if (!url.startsWith('http:') || !closedEarly.test(reason)) throw failure
      const advice = 'if it speaks TLS, leave --plaintext out and write https:// before its address'
      throw explained(
        failure,
        `the server at ${url} closed the connection (${reason}); ${advice}`,
        failure.code,
      )
    }
  }
}

function explained(failure: ConnectError, message: string, code: Code): ConnectError {
  return new ConnectError(message, code, undefined, undefined, failure)
}
