import type { IncomingHttpHeaders } from 'node:http'

const maxHeader = 8_192

/**
 * The query of the following page: that of the address which `Link` calls `next`, else the page that GitLab names in
 * `X-Next-Page`. The address itself is not used: behind a proxy it may lead to another host.
 */
export function followingQuery(headers: IncomingHttpHeaders, query: string): string | undefined {
  const { link } = headers
  if (typeof link === 'string' && link.length <= maxHeader) {
    const [, address] = /<([^<>]*)>;[^<]*\brel="?next"?/.exec(link) ?? []
    const following = address === undefined ? undefined : URL.parse(address, 'http://forge')?.search
    if (following !== undefined && following !== '') return following
  }
  const page = headers['x-next-page']
  return typeof page === 'string' && /^\d{1,9}$/.test(page) ? withPage(query, Number(page)) : undefined
}

/** A query with another page. */
export function withPage(query: string, page: number): string {
  return withParameter(query, 'page', String(page))
}

/** A query with another value of a parameter. */
export function withParameter(query: string, name: string, value: string): string {
  const parameters = new URLSearchParams(query)
  parameters.set(name, value)
  return `?${parameters.toString()}`
}
