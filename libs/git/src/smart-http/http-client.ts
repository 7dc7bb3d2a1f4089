import { proxyOf } from '../network/proxy.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'

/** The client for git's HTTP protocol: Wadi itself if it can, or always the program git. */
export type HttpClient = 'built-in' | 'git'

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

/**
 * True if Wadi can connect to a remote itself. git does if a proxy is configured, whose variables and protocols are
 * those of curl, or if a client certificate has its key in the same file.
 */
export function canSpeakHttp({ url, credentials }: RemoteTarget): boolean {
  if (url.transport !== 'http' && url.transport !== 'https') return false
  if (credentials.tlsClientCertificate !== undefined && credentials.tlsClientKey === undefined) return false
  if (credentials.proxy) return proxyOf(url, credentials) === undefined
  return !proxyVariables.some((name) => process.env[name])
}
