import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { proxyOf } from '@wadi/git/network/proxy.ts'
import { type OutsideWay, wayOfMachine } from '@wadi/renderer-tools/outside-way.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'

/**
 * Returns the connection of tools to the repositories of charts that they download from: with the proxies and authorities of the Secrets
 * that apply to these.
 * @throws FailedPreconditionError for several proxies, of which a tool knows one
 */
export async function wayOutside(
  repositories: Pick<RepositoryStore, 'wayFor'>,
  servers: readonly string[],
  project: string,
): Promise<OutsideWay> {
  const known = servers.flatMap((server) => {
    const url = URL.parse(server.replace(/^oci:/i, 'https:'))
    // An alias of Helm is the name of another one.
    return url && /^https?:$/.test(url.protocol) ? [{ server, url }] : []
  })
  if (known.length === 0) return wayOfMachine()
  const found = await Promise.all(
    known.map(async ({ server, url }) => {
      const named = server.replace(/^oci:\/\//i, '')
      const way = await repositories.wayFor(url.href, named, project)
      const remote = {
        text: url.href,
        host: url.host,
        transport: url.protocol === 'http:' ? 'http' : 'https',
      } as const
      return { host: url.hostname, way, proxy: proxyOf(remote, way) }
    }),
  )
  const proxied = Map.groupBy(
    found.filter(({ proxy }) => proxy !== undefined),
    ({ proxy }) => proxy ?? '',
  )
  if (proxied.size > 1) {
    const hosts = Array.from(proxied.values(), ([first]) => first?.host).join(' and ')
    throw new FailedPreconditionError(
      `${hosts} are reached through different proxies, and charts of one source are downloaded through one: give them the same proxy, or commit the charts`,
    )
  }
  const authorities = [...new Set(found.map(({ way }) => way.tlsCaCertificate ?? ''))].join('\n').trim()
  const [proxy] = proxied.keys()
  if (proxy === undefined) return { proxies: {}, authorities }
  const direct = found.filter(({ proxy: own }) => own === undefined).map(({ host }) => host)
  const exceptions = [...direct, ...found.map(({ way }) => way.noProxy ?? '')].filter((entry) => entry !== '')
  return {
    proxies: {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ...(exceptions.length > 0 && { NO_PROXY: [...new Set(exceptions)].join(',') }),
    },
    authorities,
  }
}
