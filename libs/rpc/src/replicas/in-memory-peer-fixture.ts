import type { Transport } from '@connectrpc/connect'
import { createFailoverTransport } from '../failover-transport.ts'
import { ReplicaAddresses } from './replica-addresses.ts'
import { ReplicaConnections } from './replica-connections.ts'
import type { RouteKeyOf } from './route.ts'

/** The transport of a client to a peer in the same process: calls throw domain errors as between services. */
export function inMemoryPeer(service: string, transport: Transport): Transport {
  return inMemoryReplicas(service, new Map([['http://in-memory', transport]]))
}

/** The transport of a client to several replicas, by address: calls find theirs and move on as between services. */
export function inMemoryReplicas(
  service: string,
  transports: ReadonlyMap<string, Transport>,
  routeKeyOf?: RouteKeyOf,
): Transport {
  const addresses = new ReplicaAddresses(service, [...transports.keys()])
  const replicas = new ReplicaConnections(service, addresses, (address) => ({
    transport: transportAt(transports, address),
    retire: () => undefined,
    close: () => undefined,
  }))
  return createFailoverTransport({ replicas, service, defaultTimeoutMs: 60_000, routeKeyOf })
}

function transportAt(transports: ReadonlyMap<string, Transport>, address: string): Transport {
  const transport = transports.get(address)
  if (!transport) throw new Error(`there is no replica at ${address}`)
  return transport
}
