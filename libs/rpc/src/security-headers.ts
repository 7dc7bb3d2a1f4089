import type { NodeServerResponse } from './node-request.ts'

/**
 * The headers of every answer, by which a browser neither guesses its type, nor shows it inside another page, nor keeps
 * it, nor sends others the address that it came from.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Half a year, in seconds, for which a browser that saw TLS once takes nothing else. */
const strictTransport = 'max-age=15552000'

/** Sets the headers of every answer, before anything else is written to it. */
export function setSecurityHeaders(response: NodeServerResponse, { isTls }: { isTls: boolean }): void {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
  if (isTls) response.setHeader('strict-transport-security', strictTransport)
}
