import { randomBytes } from 'node:crypto'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import { type ConsoleFile, type ConsoleFiles, nonceMark } from './console-files.ts'

/** For how long a browser keeps a file whose name has the digest of its content: a year. */
const hashedLifetime = 'public, max-age=31536000, immutable'

const missingConsole = `This gateway has no web console: its files are not built.
Build them with "npm run build:web" in Wadi's directory and start the gateway again; "./wadi up" does both.
The API and the command line work without it.
`

/** Matches the paths without a page: paths of the API, of an RPC (`/package.Service/Method`) or of a file. */
const noPage = /^\/(?:api|auth|assets)(?:\/|$)|^\/[^/]*\.|\.[^/]*$/

/**
 * Answers `GET` and `HEAD` for the pages and files of the web console, whatever the caller may do: they hold no data. A browser
 * that asks for a page that does not exist gets the console with status 404, which says so and shows the way on. Without built
 * files, `/` says how to get them.
 */
export function answerConsole(files: ConsoleFiles | undefined) {
  return (request: NodeServerRequest, response: NodeServerResponse): boolean => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const path = request.url?.split('?', 1)[0] ?? ''
    if (!files) {
      if (path === '/') sendMissing(request, response)
      return path === '/'
    }
    const file = files.files.get(path)
    if (file) sendFile(request, response, path, file)
    else if (files.isPage(path)) sendPage(request, response, files.page)
    else if (isMissingPage(request, path)) sendPage(request, response, files.page, 404)
    else return false
    return true
  }
}

function isMissingPage({ headers: { accept } }: NodeServerRequest, path: string): boolean {
  return accept !== undefined && accept.includes('text/html') && !noPage.test(path)
}

function sendMissing(request: NodeServerRequest, response: NodeServerResponse): void {
  response.statusCode = 404
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  end(request, response, Buffer.from(missingConsole))
}

function sendPage(
  request: NodeServerRequest,
  response: NodeServerResponse,
  page: string,
  status = 200,
): void {
  response.statusCode = status
  const nonce = randomBytes(16).toString('base64')
  response.setHeader('content-security-policy', contentPolicy(nonce))
  response.setHeader('content-type', 'text/html; charset=utf-8')
  end(request, response, Buffer.from(page.replaceAll(nonceMark, nonce)))
}

/** Scripts, data and images come from the gateway alone; style sheets too, and those that a script adds with the nonce. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

function sendFile(
  request: NodeServerRequest,
  response: NodeServerResponse,
  path: string,
  file: ConsoleFile,
): void {
  const accepted = acceptedEncodings(request.headers['accept-encoding'])
  const encoded = file.encoded.find(({ encoding }) => accepted.has(encoding))
  const tag = encoded ? `${file.tag.slice(0, -1)}-${encoded.encoding}"` : file.tag
  response.setHeader('cache-control', path.startsWith('/assets/') ? hashedLifetime : 'no-cache')
  response.setHeader('etag', tag)
  response.setHeader('vary', 'Accept-Encoding')
  if (isKnown(request.headers['if-none-match'], tag)) {
    response.writeHead(304)
    response.end()
    return
  }
  response.setHeader('content-type', file.type)
  if (encoded) response.setHeader('content-encoding', encoded.encoding)
  end(request, response, encoded?.body ?? file.body)
}

function isKnown(header: string | undefined, tag: string): boolean {
  const known = header?.split(',').map((part) => part.trim().replace(/^W\//, '')) ?? []
  return known.includes(tag) || known.includes('*')
}

function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const parts = String(header ?? '').split(',')
  const wanted = parts.filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
  return new Set(wanted.map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? ''))
}

function end(request: NodeServerRequest, response: NodeServerResponse, body: Buffer): void {
  response.setHeader('content-length', body.length)
  if (request.method === 'HEAD') response.end()
  else response.end(body)
}
