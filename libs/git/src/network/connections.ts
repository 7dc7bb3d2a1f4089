import { createHash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { proxyOf, shownProxy } from './proxy.ts'
import type { RepositoryUrl } from '../remote/repository-url.ts'
import type { ServerWay } from './server-way.ts'

/** Servers close idle connections after as little as this; nginx after 75 s, Go's forges later. */
const idleMs = 20_000
const maxAgents = 256

/**
 * Open connections, by what was checked and presented when they were opened. They are kept between calls and do not keep the
 * process alive. One that is dropped from here closes when it has been idle.
 */
const agents = new LRUCache<string, HttpAgent>({ max: maxAgents })

/** To read the authorities of the machine takes tens of milliseconds, so who needs the same ones shares them. */
const secureContexts = new LRUCache<string, SecureContext>({ max: maxAgents })

/** A server that is connected to, and how. */
interface ConnectedServer {
  readonly url: RepositoryUrl
  readonly credentials: ServerWay
  /** The addresses that were checked; none where any will do that the name of the host leads to. */
  readonly addresses: readonly string[]
}

/**
 * The connections that a server may use: to the addresses that were checked for it, with its certificates.
 * @throws errors of Node.js with a code `ERR_OSSL_…` for certificates that cannot be read
 */
export function connectionsTo({ url, addresses, credentials }: ConnectedServer): HttpAgent {
  const identity = url.transport === 'https' ? tlsIdentity(credentials) : undefined
  const proxy = proxyOf(url, credentials)
  const key = `${url.transport} ${addresses.join(',')} ${identity ?? ''} ${proxy === undefined ? '' : hashed(proxy)}`
  const known = agents.get(key)
  if (known !== undefined) return known
  const options = {
    keepAlive: true,
    timeout: idleMs,
    ...(proxy === undefined ? pinned(addresses) : { proxyEnv: through(proxy) }),
  }
  const agent =
    identity === undefined
      ? new HttpAgent(options)
      : new HttpsAgent({
          ...options,
          rejectUnauthorized: credentials.insecureSkipTlsVerify !== true,
          secureContext: secureContext(identity, credentials),
        })
  agents.set(key, agent)
  return agent
}

/** A hash, because private keys should not lie about in the keys of maps. */
function tlsIdentity(credentials: ServerWay): string {
  const { tlsCaCertificate, tlsClientCertificate, tlsClientKey, insecureSkipTlsVerify } = credentials
  const parts = [tlsCaCertificate, tlsClientCertificate, tlsClientKey, insecureSkipTlsVerify]
  return hashed(JSON.stringify(parts))
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** @throws FailedPreconditionError for a proxy with which Node.js cannot speak */
function through(proxy: string): NodeJS.ProcessEnv {
  if (/^https?:/i.test(URL.parse(proxy)?.protocol ?? '')) return { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
  throw new FailedPreconditionError(
    `the proxy ${shownProxy(proxy)} cannot be used: charts and forges are reached through proxies of http and https alone`,
  )
}

function secureContext(identity: string, credentials: ServerWay): SecureContext {
  const known = secureContexts.get(identity)
  if (known !== undefined) return known
  const context = createSecureContext({
    ca: authorities(credentials),
    cert: credentials.tlsClientCertificate,
    key: credentials.tlsClientKey,
  })
  secureContexts.set(identity, context)
  return context
}

/** By default those of the machine, as git has it, and of NODE_EXTRA_CA_CERTS, and not those that Node.js brings along. */
function authorities({ tlsCaCertificate, insecureSkipTlsVerify }: ServerWay): string | string[] {
  if (insecureSkipTlsVerify) return []
  return tlsCaCertificate ?? [...new Set([...getCACertificates('system'), ...getCACertificates('extra')])]
}

/** Gives the addresses that were checked, whatever the name leads to now; a proxy looks names up itself. */
function pinned(addresses: readonly string[]): { lookup?: LookupFunction } {
  if (addresses.length === 0) return {}
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, options, callback) => {
    const [first] = all
    if (options.all === true) callback(null, all)
    else if (first !== undefined) callback(null, first.address, first.family)
  }
  return { lookup }
}
