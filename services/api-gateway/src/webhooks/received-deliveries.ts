/** Time for which a delivery is remembered, in milliseconds, and the maximum number of them. */
const rememberedMs = 3_600_000
const maxRemembered = 10_000

/** Remembers deliveries of webhooks, so that one that is sent again does nothing. */
export interface ReceivedDeliveries {
  /** Remembers a delivery; false when it is remembered already. */
  add(delivery: string): boolean
  /** Forgets a delivery that could not be answered, so that its sender may try again. */
  remove(delivery: string): void
}

/** A memory of this process: for an hour, of the newest 10,000. */
export function createReceivedDeliveries(now: () => number = () => performance.now()): ReceivedDeliveries {
  const times = new Map<string, number>()
  return {
    add(delivery) {
      const time = now()
      for (const [known, at] of times) {
        if (time - at < rememberedMs && times.size < maxRemembered) break
        times.delete(known)
      }
      if (times.has(delivery)) return false
      times.set(delivery, time)
      return true
    },
    remove(delivery) {
      times.delete(delivery)
    },
  }
}
