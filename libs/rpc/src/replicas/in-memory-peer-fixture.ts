import type { Transport } from '@connectrpc/connect'
import { createFailoverTransport } from '../failover-transport.ts'
import { ReplicaAddresses } from './replica-addresses.ts'
import { ReplicaConnections } from './replica-connections.ts'

/** The transport of a client to a peer in the same process: calls throw domain errors as between services. */
export function inMemoryPeer(service: string, transport: Transport): Transport {
  const addresses = new ReplicaAddresses(service, ['http://in-memory'])
  const replicas = new ReplicaConnections(service, addresses, () => ({
    transport,
    retire: () => undefined,
    close: () => undefined,
  }))
  return createFailoverTransport({ replicas, service, defaultTimeoutMs: 60_000 })
}
