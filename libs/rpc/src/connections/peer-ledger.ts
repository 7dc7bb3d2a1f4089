import type { Socket } from 'node:net'
import { strikeBounds } from './connection-bounds.ts'
import { peerNetwork } from './peer-network.ts'

interface Peer {
  connections: number
  strikes: number
}

/** Counts connections by peer. */
export interface PeerLedger {
  /** Counts a new connection until it closes; false when its peer may not have it. */
  admits(socket: Socket): boolean
  /** Counts that a connection from this address was ended as hostile. */
  strike(address: string | undefined): void
}

/** A ledger of one port, in memory. Unix sockets, whose permissions decide who gets in, are not counted. */
export function createPeerLedger(maxConnections: number): PeerLedger {
  const peers = new Map<string, Peer>()
  const change = (key: string, by: Partial<Peer>) => {
    const peer = peers.get(key) ?? { connections: 0, strikes: 0 }
    peer.connections += by.connections ?? 0
    peer.strikes += by.strikes ?? 0
    if (peer.connections <= 0 && peer.strikes <= 0) peers.delete(key)
    else peers.set(key, peer)
  }
  return {
    admits(socket) {
      if (socket.remoteAddress === undefined) return true
      const key = peerNetwork(socket.remoteAddress)
      const peer = peers.get(key)
      if (peer && (peer.connections >= maxConnections || peer.strikes >= strikeBounds.strikes)) return false
      change(key, { connections: 1 })
      socket.once('close', () => change(key, { connections: -1 }))
      return true
    },
    strike(address) {
      if (address === undefined) return
      const key = peerNetwork(address)
      change(key, { strikes: 1 })
      setTimeout(() => change(key, { strikes: -1 }), strikeBounds.penaltyMs).unref()
    },
  }
}
