/** The one that work is done for. */
export interface Lane {
  /** Shares are equal between tenants, by their weights. */
  readonly tenant: string
  /** Shares of a tenant are equal between its parts. */
  readonly part: string
  /** The share of the tenant, from 1 to 12. */
  readonly weight: number
}

/** The lane of all work where there are no tenants. */
export const singleLane: Lane = { tenant: '', part: '', weight: 1 }

/** The heaviest weight, which divides the step between two turns of a tenant. */
export const maxWeight = 12

/** Returns the distance between two turns of a tenant. */
export function stepOf({ weight }: Lane): number {
  return Math.max(1, Math.round(maxWeight / weight))
}

interface Tenant {
  /** The turn after that of the work that was begun last. */
  next: number
  /** The numbers of what waits, by part. */
  readonly parts: Map<string, number>
}

/**
 * Orders work that waits, so that one tenant's much work delays another's little by what is under way alone. Each piece gets a turn when it
 * begins to wait, the smallest goes first: a tenant's turns are a step apart, begin where work is now, and change between its parts.
 * Start-time fair queueing, with parts in round robin.
 */
export class FairOrder {
  readonly #tenants = new Map<string, Tenant>()
  #now = 0

  /** Returns the turn of work that begins to wait. */
  enter(lane: Lane): number {
    const { tenant, part } = lane
    const { next, parts } = this.#tenants.getOrInsertComputed(tenant, () => ({ next: 0, parts: new Map() }))
    const before = parts.get(part) ?? 0
    const others = parts.entries().filter(([name]) => name !== part)
    const rounds = others.reduce((sum, [, count]) => sum + Math.min(count, before + 1), 0)
    parts.set(part, before + 1)
    return Math.max(this.#now, next) + stepOf(lane) * (before + rounds)
  }

  /** Notes that work waits no more; `turn` is undefined if it was given up. */
  leave(lane: Lane, turn: number | undefined): void {
    const found = this.#tenants.get(lane.tenant)
    if (found === undefined) return
    const left = (found.parts.get(lane.part) ?? 1) - 1
    if (left > 0) found.parts.set(lane.part, left)
    else found.parts.delete(lane.part)
    if (turn !== undefined) {
      this.#now = Math.max(this.#now, turn)
      found.next = Math.max(found.next, turn + stepOf(lane))
    }
    if (found.parts.size === 0 && found.next <= this.#now) this.#tenants.delete(lane.tenant)
  }
}
