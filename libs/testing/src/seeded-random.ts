/** Choices that look random and are the same for the same seed on every machine. */
export interface SeededRandom {
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number
  /** True for this share of the calls, 0 to 1. */
  chance(share: number): boolean
  /**
   * One of the items.
   * @throws RangeError if there are none
   */
  pick<Item>(items: readonly Item[]): Item
}

/** Starts a sequence: splitmix32, which is short and spreads even neighbouring seeds. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const below = (limit: number): number => integer(0, limit - 1)
  return {
    integer,
    below,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('there is nothing to pick from')
      return item
    },
  }
}
