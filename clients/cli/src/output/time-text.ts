/** Returns seconds since 1970 as RFC 3339 in UTC; empty for what is not a time. */
export function timeText(seconds: number | bigint): string {
  const time = new Date(Number(seconds) * 1_000)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().replace('.000Z', 'Z')
}

/** Returns when something expires; 0 is never. */
export function expiryText(seconds: number | bigint): string {
  if (Number(seconds) === 0) return 'never'
  return `${timeText(seconds)}${Number(seconds) * 1_000 < Date.now() ? ' (expired)' : ''}`
}
