/** Orders by strings: by their UTF-16 code units as `toSorted` does, the same on every machine. */
export function by<T>(stringOf: (value: T) => string): (one: T, other: T) => number {
  return (one, other) => byCodeUnits(stringOf(one), stringOf(other))
}

/** Orders strings by their UTF-16 code units. */
export function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Orders things by their names, by UTF-16 code units. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return byCodeUnits(one.name, other.name)
}

/** Orders entries by their keys, by UTF-16 code units. */
export function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return byCodeUnits(one, other)
}
