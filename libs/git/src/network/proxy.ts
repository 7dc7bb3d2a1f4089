import { BlockList, isIP } from 'node:net'
import type { GitCredentials } from '../remote/credentials.ts'
import type { RepositoryUrl } from '../remote/repository-url.ts'
import { hostAndPort } from './network-policy.ts'
import { addNetwork, hasAddress } from './private-addresses.ts'

type ProxySettings = Pick<GitCredentials, 'proxy' | 'noProxy'>

/**
 * The proxy that a repository behind http or https is reached through, with its scheme; undefined for none. Without one of their own,
 * repositories are reached through that of the environment, as in Argo CD.
 */
export function proxyOf(
  remote: RepositoryUrl,
  settings: ProxySettings,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const { transport } = remote
  if (transport !== 'http' && transport !== 'https') return undefined
  const { proxy, noProxy = '' } = settings.proxy ? settings : proxyOfEnvironment(transport, environment)
  if (!proxy || isDirect(remote, noProxy)) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

/** A proxy as messages name it: without user and password. */
export function shownProxy(proxy: string): string {
  const { protocol, host } = URL.parse(proxy) ?? {}
  return host ? `${protocol}//${host}` : 'that is configured'
}

function proxyOfEnvironment(transport: 'http' | 'https', environment: NodeJS.ProcessEnv): ProxySettings {
  const valueOf = (name: string): string => environment[name.toLowerCase()] || environment[name] || ''
  return {
    proxy: valueOf(transport === 'https' ? 'HTTPS_PROXY' : 'HTTP_PROXY'),
    noProxy: valueOf('NO_PROXY'),
  }
}

/** Reads `noProxy` as Go does: hosts with all below them, `.host` and `*.host` for those below alone, addresses, networks, `*`, each with a port or not. */
function isDirect(remote: RepositoryUrl, noProxy: string): boolean {
  const { host, port } = hostAndPort(remote)
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry.toLowerCase(), host.toLowerCase(), port))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const networks = new BlockList()
  if (addNetwork(networks, entry)) return isIP(host) !== 0 && hasAddress(networks, host)
  const [, name = '', wantedPort] = /^(\[.+\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
  if (name === '' || (wantedPort !== undefined && wantedPort !== port)) return false
  const bare = name.replace(/^\[(.*)\]$/, '$1').replace(/^\*\./, '.')
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`)
}
