/** Copies bytes that are kept for long: a small Buffer is otherwise a part of a pool of 64 KiB, all of which stays with it. */
export function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
