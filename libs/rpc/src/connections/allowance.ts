/** The amount available at once, and the amount restored each second. */
export interface AllowanceBounds {
  burst: number
  perSecond: number
}

/** Returns a function that uses one unit and says whether there was one left; units come back with time. */
export function createAllowance(
  { burst, perSecond }: AllowanceBounds,
  now: () => number = () => performance.now(),
): () => boolean {
  let left = burst
  let asOf = now()
  return () => {
    const time = now()
    left = Math.min(burst, left + ((time - asOf) / 1_000) * perSecond)
    asOf = time
    if (left < 1) return false
    left -= 1
    return true
  }
}
