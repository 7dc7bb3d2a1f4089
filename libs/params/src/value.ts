/** A number that is no integer to Go, because it has a fraction or an exponent: `1.0` is one, `1` is not. */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/**
 * A value of a parameter. An integer is a `number` as far as that is exact, else a `bigint`. Maps keep the order in which
 * they were written, and may have any text as a key. Values are never changed in place.
 */
export type Value = null | boolean | string | number | bigint | Float | readonly Value[] | ValueMap

/** A map of values. */
export type ValueMap = ReadonlyMap<string, Value>

/** Whether a value is a map. */
export function isValueMap(value: Value | undefined): value is ValueMap {
  return value instanceof Map
}

/** Where a value is written. */
export interface Location {
  /** Path from the root of the repository. */
  file: string
  /** From 1; undefined for a whole file. */
  line?: number
}

/** A value of which it is known where each part is written. */
export interface Located {
  value: Value
  at: Location
  /** The parts of a map or list, by key or position; undefined for a scalar. */
  parts?: ReadonlyMap<string, Located>
}
