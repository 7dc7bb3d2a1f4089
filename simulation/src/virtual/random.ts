/** Numbers that follow from a seed. */
export interface Random {
  /** A number from 0 up to 1. */
  next(): number
  /** A whole number from 0 up to `below`. */
  below(below: number): number
  /** True with a probability. */
  chance(probability: number): boolean
  /** One of some items. */
  of<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Returns the numbers of a seed, by the generator SplitMix32. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    of: (items) => items[below(items.length)] ?? items[0],
  }
}

/** Returns a seed that follows from one and a name, so that parts of a world draw apart from each other. */
export function seedFor(seed: number, name: string): number {
  let mixed = seed | 0
  for (const character of name) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return mixed
}
