import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { InvalidInputError, PermissionDeniedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { addNetwork, hasAddress, isPrivateAddress } from './private-addresses.ts'
import type { RepositoryUrl } from '../remote/repository-url.ts'

/** Which addresses repositories may lead to. */
export interface NetworkPolicy {
  /**
   * The addresses to connect to for a repository, which are those that were checked; none where any will do.
   * @param isNamed whether an operator stored this host and port, with a repository or with credentials
   * @throws PermissionDeniedError, in the same words whether there is something at the address or not;
   *   UnavailableError when names cannot be looked up at this time
   */
  addressesOf(remote: RepositoryUrl, isNamed: boolean): Promise<readonly string[]>
}

/** Looks a name up. */
type Lookup = (host: string) => Promise<readonly { address: string }[]>

const defaultPorts: Readonly<Record<RepositoryUrl['transport'], string>> = {
  https: '443',
  http: '80',
  ssh: '22',
  file: '',
}

/** The host of a repository without brackets, and its port. */
export function hostAndPort({ text, transport, host }: RepositoryUrl): { host: string; port: string } {
  const [, name = host, port = defaultPorts[transport]] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  // In scp-like form what follows the colon is a path.
  const isScp = transport === 'ssh' && !text.includes('://')
  return { host: name.replace(/^\[(.*)\]$/, '$1'), port: isScp ? defaultPorts.ssh : port }
}

/**
 * Public addresses alone, but for hosts that an operator stored and for `allowed`: networks (`10.1.0.0/16`), addresses and
 * names of hosts (`git.internal`, `*.internal`).
 * @throws InvalidInputError for an entry that is none of them
 */
export function createNetworkPolicy(allowed: readonly string[], find: Lookup = findAddresses): NetworkPolicy {
  const networks = new BlockList()
  const names: string[] = []
  for (const entry of allowed) {
    if (addNetwork(networks, entry)) continue
    if (!/^(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/i.test(entry)) {
      throw new InvalidInputError(
        `allowed networks: ${JSON.stringify(entry)} is neither a network such as 10.1.0.0/16 nor the name of a host`,
      )
    }
    names.push(entry.toLowerCase())
  }
  const isNameAllowed = (host: string) =>
    names.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
  const isOpen = (address: string) => !isPrivateAddress(address) || hasAddress(networks, address)
  return {
    async addressesOf(remote, isNamed) {
      const { host } = hostAndPort(remote)
      if (remote.transport === 'file' || isNamed || isNameAllowed(host)) return []
      if (isIP(host) !== 0) {
        if (isOpen(host)) return []
        throw rejection(remote)
      }
      const addresses = (await find(host).catch((error: unknown) => lookupFailure(error, remote))).map(
        ({ address }) => address,
      )
      if (addresses.length > 0 && addresses.every(isOpen)) return addresses
      throw rejection(remote)
    },
  }
}

function findAddresses(host: string): Promise<{ address: string }[]> {
  return lookup(host, { all: true })
}

function lookupFailure(error: unknown, remote: RepositoryUrl): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND') throw rejection(remote)
  throw new UnavailableError(`the host ${remote.host} cannot be looked up at this time`, { cause: error })
}

/** Says the same of a name that does not exist and of one in a private network: what is there is not for everybody to know. */
function rejection({ host }: RepositoryUrl): PermissionDeniedError {
  return new PermissionDeniedError(
    `the host ${host} has no public address: check its name; for one in a private network an operator stores the ` +
      'repository or credentials for its host (wadi repo add), or lists the network in WADI_ALLOWED_NETWORKS',
  )
}
