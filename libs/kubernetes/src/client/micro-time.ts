/** Returns a time as Kubernetes writes it with microseconds. */
export function microTime(time: Date = new Date()): string {
  return time.toISOString().replace('Z', '000Z')
}
