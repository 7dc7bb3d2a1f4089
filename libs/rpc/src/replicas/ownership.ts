import { hostname, networkInterfaces } from 'node:os'
import { ReplicaAddresses, type SrvResolver } from './replica-addresses.ts'
import { rendezvousOrder } from './rendezvous.ts'

/** Divides work among the replicas of a service, without anything that they share. */
export interface Ownership {
  /**
   * Returns true if this replica does the work of a key. Ownership saves work and is no lock: while replicas come and
   * go, two may own a key for some seconds, or none.
   */
  owns: (key: string) => Promise<boolean>
}

/**
 * The ownership of the replica that listens at an address of this machine, by the addresses of all replicas. A replica that is not among
 * them, as it is not ready yet, owns nothing; while the addresses cannot be looked up, every replica owns everything, and so does one that was given none.
 */
export function ownershipAmong(
  service: string,
  endpoints: readonly string[],
  { listen, resolver }: { listen: string; resolver?: SrvResolver },
): Ownership {
  if (endpoints.length === 0) return { owns: async () => true }
  const addresses = new ReplicaAddresses(service, endpoints, resolver)
  return {
    owns: async (key) => {
      const current = await addresses.current().catch(() => undefined)
      if (current === undefined) return true
      const [owner] = rendezvousOrder(key, current)
      return owner !== undefined && isOwn(owner, listen)
    },
  }
}

/** True if an address is this machine's: it names its host, or one of its IP addresses, also as Kubernetes spells it in names. */
function isOwn(address: string, listen: string): boolean {
  if (address === listen) return true
  const url = URL.parse(address)
  if (url === null || url.port !== listen.slice(listen.lastIndexOf(':') + 1)) return false
  const [label = ''] = url.hostname.split('.', 1)
  if (url.hostname === 'localhost' || label === hostname().toLowerCase()) return true
  const ips = Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces.map(({ address: ip }) => ip),
  )
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return ips.some((ip) => ip === host || ip.replaceAll(/[.:]/g, '-') === label)
}
