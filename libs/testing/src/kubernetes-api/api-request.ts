import type { IncomingHttpHeaders } from 'node:http2'

/** A request of the API, taken apart. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly isStatus: boolean
  /** As RBAC and audit logs call what is asked. */
  readonly verb: string
  readonly contentType: string
  readonly token: string | undefined
  /** The writer, for `managedFields`. */
  readonly manager: string
}

const pathShape =
  /^\/(?:api\/(?<core>[^/]+)|apis\/(?<group>[^/]+)\/(?<version>[^/]+))(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+)(?<status>\/status)?)?$/

/** Takes a request apart; returns undefined for a path that is none of an API. */
export function readRequest(headers: IncomingHttpHeaders): ReceivedRequest | undefined {
  const url = new URL(headers[':path'] ?? '/', 'http://localhost')
  const groups = pathShape.exec(url.pathname)?.groups
  if (groups === undefined) return undefined
  const method = headers[':method'] ?? 'GET'
  const name = groups['name'] === undefined ? undefined : decodeURIComponent(groups['name'])
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    group: groups['group'] ?? '',
    version: groups['version'] ?? groups['core'] ?? '',
    plural: groups['plural'] ?? '',
    namespace: groups['namespace'] === undefined ? undefined : decodeURIComponent(groups['namespace']),
    name,
    isStatus: groups['status'] !== undefined,
    verb: verbOf(method, name, url.searchParams.get('watch') === 'true'),
    contentType: headers['content-type'] ?? '',
    manager: url.searchParams.get('fieldManager') ?? headers['user-agent']?.split('/')[0] ?? '',
    token: /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1],
  }
}

function verbOf(method: string, name: string | undefined, isWatch: boolean): string {
  if (method === 'GET') return isWatch ? 'watch' : name === undefined ? 'list' : 'get'
  return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method] ?? method.toLowerCase()
}
