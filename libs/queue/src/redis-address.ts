import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { RedisOptions } from 'ioredis'

const sentinelPort = 26_379

/** The parts of an address such as `redis-sentinel://:password@one:26379,two:26379/0?sentinelPassword=word#name`. */
const sentinelAddress =
  /^(?<scheme>rediss?)-sentinel:\/\/(?:(?<account>[^@/]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<database>\d*))?(?:\?sentinelPassword=(?<sentinelPassword>[^#&]*))?#(?<name>[^#]+)$/

/**
 * Returns the options of ioredis for an address: that of one Redis, or those of Sentinels that know which one is the primary.
 * @throws InvalidInputError for any other text, which it does not repeat, as it may hold a password
 */
export function redisOptions(address: string): Omit<RedisOptions, 'replyMapping'> | string {
  if (/^rediss?:$/.test(URL.parse(address)?.protocol ?? '')) return address
  const found = sentinelAddress.exec(address)?.groups
  if (found === undefined) {
    throw new InvalidInputError(
      'the Redis URL must look like redis://[user:password@]host[:port][/database], or redis-sentinel://[user:password@]host[:port][,host[:port]…][/database][?sentinelPassword=password]#name',
    )
  }
  const { scheme, account = '', hosts = '', database = '', sentinelPassword, name = '' } = found
  const [username = '', password = ''] = account.split(':', 2).map(decodeURIComponent)
  return {
    sentinels: hosts.split(',').map(sentinelOf),
    name: decodeURIComponent(name),
    db: Number(database),
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(sentinelPassword !== undefined && { sentinelPassword: decodeURIComponent(sentinelPassword) }),
    ...(scheme === 'rediss' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  }
}

function sentinelOf(text: string): { host: string; port: number } {
  const [, host = '', port] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(text) ?? []
  return { host, port: port === undefined ? sentinelPort : Number(port) }
}
