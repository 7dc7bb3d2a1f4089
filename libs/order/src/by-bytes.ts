/**
 * Orders strings by their bytes in UTF-8, as git orders names and Go orders the keys of a map. It differs from
 * JavaScript's order where characters beyond U+FFFF meet those from U+E000 on.
 */
export function byBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  if (at === length) return one.length - other.length
  const [unit, otherUnit] = [one.charCodeAt(at), other.charCodeAt(at)]
  // Without surrogates the code units are in the order of the bytes, and no bytes are needed.
  if (!isSurrogate(unit) && !isSurrogate(otherUnit)) return unit - otherUnit
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
