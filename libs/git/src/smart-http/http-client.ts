import { proxyOf } from '../network/proxy.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'

/** Who speaks git's HTTP protocol: Wadi itself where it can, or always the program git. */
export type HttpClient = 'built-in' | 'git'

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

/**
 * Whether Wadi can speak with a remote itself. git does where a proxy is configured, whose variables and protocols are those of
 * curl, and where a client certificate has its key in the same file.
 */
export function canSpeakHttp({ url, credentials }: RemoteTarget): boolean {
  if (url.transport !== 'http' && url.transport !== 'https') return false
  if (credentials.tlsClientCertificate !== undefined && credentials.tlsClientKey === undefined) return false
  if (credentials.proxy) return proxyOf(url, credentials) === undefined
  return !proxyVariables.some((name) => process.env[name])
}
