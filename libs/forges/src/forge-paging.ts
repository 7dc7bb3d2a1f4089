import type { IncomingHttpHeaders } from 'node:http'

const maxHeader = 8_192

/**
 * The query of the following page: that of the address which `Link` calls `next`, else the page that GitLab names in
 * `X-Next-Page` or the token of Azure DevOps. The address itself is not used: behind a proxy it may lead to another host.
 */
export function followingQuery(headers: IncomingHttpHeaders, query: string): string | undefined {
  const { link } = headers
  if (typeof link === 'string' && link.length <= maxHeader) {
    const [, address] = /<([^<>]*)>;[^<]*\brel="?next"?/.exec(link) ?? []
    const following = address === undefined ? undefined : URL.parse(address, 'http://forge')?.search
    if (following !== undefined && following !== '') return following
  }
  const token = headers['x-ms-continuationtoken']
  if (typeof token === 'string' && token !== '') return withParameter(query, 'continuationToken', token)
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

/** Query of the page after a full one, where a query counts items by `$skip` and `$top`. */
export function followingSkip(query: string, items: number): string | undefined {
  const parameters = new URLSearchParams(query)
  const [skip, top] = ['$skip', '$top'].map((name) => Number(parameters.get(name) ?? Number.NaN))
  if (skip === undefined || top === undefined || !(items > 0 && items >= top)) return undefined
  return Number.isNaN(skip) ? undefined : withParameter(query, '$skip', String(skip + items))
}
