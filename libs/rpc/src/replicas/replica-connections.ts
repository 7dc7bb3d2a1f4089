import type { Transport } from '@connectrpc/connect'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ReplicaAddresses } from './replica-addresses.ts'
import { rendezvousOrder } from './rendezvous.ts'
import { serviceAway } from '../service-away.ts'

/** For how long calls prefer other replicas after one could not be reached. */
const awayMs = 5_000
/** The same where a spare address has calls: as long as name servers remember the address of a replica that is gone. */
const awayWithSparesMs = 30_000

/** A connection to one replica. */
export interface ReplicaConnection {
  transport: Transport
  /** Lets calls in flight end and then closes. */
  retire: () => void
  /** Closes at once. */
  close: () => void
}

/** A replica that a call was given. */
export interface Replica {
  address: string
  transport: Transport
}

/** The choice of the replica for a call. */
export interface Route {
  /** The key that chooses the owner, such as a repository; without it calls go round. */
  key: string | undefined
  /** 0 for the owner of the key, 1 for the next in order, and so on, over again when there are fewer. */
  rank: number
}

/** The connections to the replicas of one service, as they come and go. */
export class ReplicaConnections implements Disposable {
  readonly #service: string
  readonly #addresses: ReplicaAddresses
  readonly #connect: (address: string) => ReplicaConnection
  readonly #open = new Map<string, ReplicaConnection>()
  readonly #away = new Map<string, number>()
  #turn = 0

  constructor(service: string, addresses: ReplicaAddresses, connect: (address: string) => ReplicaConnection) {
    this.#service = service
    this.#addresses = addresses
    this.#connect = connect
  }

  /** Returns the number of replicas, including those that could not be reached lately; 1 while none is listed, as a call may find one all the same. */
  async count(): Promise<number> {
    return Math.max(1, (await this.#addresses.current()).length)
  }

  /**
   * The replica for the next attempt of a call. One that was tried fewer times comes first, then one that was reached lately, then the
   * order of the route. A spare address comes after the replicas that were reached lately.
   * @throws UnavailableError when there is none
   */
  async choose(route: Route, tried: readonly string[]): Promise<Replica> {
    const addresses = await this.#addresses.current()
    const { spares } = this.#addresses
    this.#retireOthers([...addresses, ...spares])
    const isAway = (address: string): boolean => (this.#away.get(address) ?? 0) > performance.now()
    const ordered = this.#inOrder(route, addresses)
    const present = rotated(
      ordered.filter((address) => !isAway(address)),
      route.rank,
    )
    const candidates = [...present, ...spares, ...ordered.filter(isAway)]
    const timesTried = (address: string): number => tried.filter((other) => other === address).length
    const [address] = candidates.toSorted((left, right) => timesTried(left) - timesTried(right))
    if (address === undefined) {
      throw new UnavailableError(`no replica of ${this.#service} is ready`, { code: serviceAway })
    }
    return { address, transport: this.#connectionTo(address).transport }
  }

  /** Remembers that a replica could not be reached. */
  unreachable(address: string): void {
    const ms = this.#addresses.spares.length > 0 ? awayWithSparesMs : awayMs
    this.#away.set(address, performance.now() + ms)
  }

  /** Closes all connections and so ends their calls. */
  [Symbol.dispose](): void {
    for (const connection of this.#open.values()) connection.close()
  }

  #inOrder({ key }: Route, addresses: readonly string[]): string[] {
    if (key !== undefined) return rendezvousOrder(key, addresses)
    return rotated(addresses, this.#turn++)
  }

  #connectionTo(address: string): ReplicaConnection {
    const open = this.#open.get(address)
    if (open) return open
    const connection = this.#connect(address)
    this.#open.set(address, connection)
    return connection
  }

  #retireOthers(addresses: readonly string[]): void {
    for (const [address, connection] of this.#open) {
      if (addresses.includes(address)) continue
      this.#open.delete(address)
      this.#away.delete(address)
      connection.retire()
    }
  }
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const start = items.length === 0 ? 0 : by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
