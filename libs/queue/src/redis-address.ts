import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { RedisOptions } from 'ioredis'

const redisPort = 6379
const sentinelPort = 26_379

const maxPort = 65_535
const hostAndPort = /^(?:\[(?<v6>[\da-fA-F:.]+)\]|(?<name>[^\s:[\]]+))(?::(?<port>\d{1,5}))?$/

/** The options of ioredis that an address decides. */
type AddressOptions = Omit<RedisOptions, 'replyMapping'>

interface HostAndPort {
  readonly host: string
  readonly port: number
}

/** The Redis of an address: one server, the primary that Sentinels know, or a cluster that some of its nodes know. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | { readonly kind: 'sentinels'; readonly options: AddressOptions }
  | { readonly kind: 'cluster'; readonly nodes: readonly HostAndPort[]; readonly options: AddressOptions }

const accountAndHosts = String.raw`(?:(?<account>[^@/]*)@)?(?<hosts>[^@/?#]+)`

/** The parts of an address such as `redis-sentinel://:password@one:26379,two:26379/0?sentinelPassword=word#name`. */
const sentinelAddress = new RegExp(
  String.raw`^(?<scheme>rediss?)-sentinel://${accountAndHosts}(?:/(?<database>\d*))?(?:\?sentinelPassword=(?<sentinelPassword>[^#&]*))?#(?<name>[^#]+)$`,
)

/** The parts of an address such as `redis-cluster://:password@one:6379,two:6379`. A cluster has one database. */
const clusterAddress = new RegExp(String.raw`^(?<scheme>rediss?)-cluster://${accountAndHosts}/?$`)

/**
 * Reads the address of a Redis.
 * @throws InvalidInputError for any other text, which it does not repeat, as it may hold a password
 */
export function redisAddress(text: string): RedisAddress {
  if (/^rediss?:$/.test(URL.parse(text)?.protocol ?? '')) return { kind: 'server', url: text }
  const cluster = clusterAddress.exec(text)?.groups
  if (cluster !== undefined) {
    const nodes = hostsOf(cluster['hosts'], redisPort)
    return { kind: 'cluster', nodes, options: { ...accountOf(cluster), ...tlsOf(cluster) } }
  }
  const sentinel = sentinelAddress.exec(text)?.groups
  if (sentinel !== undefined) return { kind: 'sentinels', options: sentinelOptions(sentinel) }
  throw new InvalidInputError(
    'the Redis URL must look like redis://[user:password@]host[:port][/database], redis-sentinel://[user:password@]host[:port][,host[:port]…][/database][?sentinelPassword=password]#name or redis-cluster://[user:password@]host[:port][,host[:port]…]',
  )
}

type Groups = Readonly<Partial<Record<string, string>>>

function sentinelOptions(groups: Groups): AddressOptions {
  const { hosts, database = '', sentinelPassword, name = '' } = groups
  const tls = tlsOf(groups)
  return {
    sentinels: hostsOf(hosts, sentinelPort),
    name: decoded(name),
    db: Number(database),
    ...accountOf(groups),
    ...(sentinelPassword !== undefined && { sentinelPassword: decoded(sentinelPassword) }),
    ...(tls && { ...tls, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  }
}

/** As in every URL, the password begins behind the first colon. */
function accountOf({ account = '' }: Groups): AddressOptions {
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(account) ?? []
  return {
    ...(username !== '' && { username: decoded(username) }),
    ...(password !== '' && { password: decoded(password) }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidInputError(
      'the Redis URL has a "%" that begins no escape; write %25 for a "%" of a user, password or name',
    )
  }
}

function tlsOf({ scheme }: Groups): AddressOptions | undefined {
  return scheme === 'rediss' ? { tls: {} } : undefined
}

function hostsOf(hosts = '', defaultPort: number): HostAndPort[] {
  return hosts.split(',').map((text) => {
    const { v6, name, port } = hostAndPort.exec(text)?.groups ?? {}
    const host = v6 ?? name
    if (host === undefined || Number(port ?? defaultPort) > maxPort) {
      throw new InvalidInputError(
        `the Redis URL names the host ${JSON.stringify(text)}; expected host, host:port or [address of IPv6]:port, separated by commas`,
      )
    }
    return { host, port: port === undefined ? defaultPort : Number(port) }
  })
}
