import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { NetworkPolicy } from '@wadi/git/network/network-policy.ts'
import type { ServerWay } from '@wadi/git/network/server-way.ts'
import { namesHost } from '@wadi/repositories/named-hosts.ts'
import { webRequest } from './web-request.ts'

/** The options of requests for archives of releases. */
interface ReleaseAccess {
  /** The addresses of the operator, which may be in a private network; what they redirect to may not. */
  readonly addresses: readonly string[]
  readonly network: Pick<NetworkPolicy, 'addressesOf'>
  /** Returns the proxy of a server and what is trusted of it; as the machine does without it. */
  readonly wayTo?: (url: string) => Promise<ServerWay>
  /** Largest archive, in bytes. */
  readonly maxBytes: number
  /** Time limit for one archive. */
  readonly maxMs?: number
}

/**
 * Returns what gets the archive at an address, by https alone, without a user.
 * @throws InvalidInputError for an address of the operator that is not one of https
 */
export function releaseRequest({
  addresses,
  network,
  wayTo = async () => ({}),
  ...bounds
}: ReleaseAccess): (url: string, signal: AbortSignal) => Promise<Buffer> {
  for (const address of addresses) assertHttps(address)
  const named = addresses.map((url) => ({ url, project: '' }))
  return async (url, signal) => {
    const access = {
      policy: { allowFile: false, allowPlainHttp: 'never' },
      advice:
        'releases are downloaded without a user; name a mirror that needs none (WADI_HELM_RELEASES, WADI_KUSTOMIZE_RELEASES), or put the program into WADI_TOOLS_DIRECTORY',
      serves: 'a server of releases',
      credentials: await wayTo(url),
      trustOf: async (host: string) => wayTo(`https://${host.includes(':') ? `[${host}]` : host}/`),
      addressesOf: (remote) => network.addressesOf(remote, namesHost(named, remote, '')),
    } satisfies Parameters<typeof webRequest>[0]
    return (await webRequest(access, { url, ...bounds }, signal)).body
  }
}

function assertHttps(address: string): void {
  const url = URL.parse(address)
  if (url?.protocol === 'https:' && url.username === '' && url.password === '' && url.search === '') return
  throw new InvalidInputError(
    `the address of releases ${JSON.stringify(address)} must be one of https, without user and query`,
  )
}
