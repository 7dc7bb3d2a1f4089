import type { Location } from '@wadi/errors/location.ts'
/** A number that is not an integer to Go, because it has a fraction or an exponent: `1.0` is one, `1` is not. */
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

/** True if a value is a map. */
export function isValueMap(value: Value | undefined): value is ValueMap {
  return value instanceof Map
}

/** A value of which it is known where each part is written. */
export interface Located {
  value: Value
  at: Location
  /**
   * The parts of a map or list, by key or position; undefined for a scalar, and for a map or list whose parts are all
   * written at its own place.
   */
  parts?: ReadonlyMap<string, Located>
  /** The origin of the value, if the place where it is written is not the place that decided it. */
  derivedFrom?: Derivation
}

/** The derivation of a value from others: through a template, a parameter or a mapping. */
export interface Derivation {
  /** The step as `explain` names it, for example `param replicas` or `.app -> .web`. */
  step: string
  /** The provenance of the value that the step took. */
  why: Provenance
}

/** The owner of a value: the tool or template, the operators of the platform, the developers of the application. */
export type Owner = 'tool' | 'operator' | 'developer'

/** The source of a value in a tree. */
export interface Source {
  owner: Owner
  kind: 'default' | 'value'
  at: Location
  /** The value that was written there; of a layer that ends above the path, the value that stood in the way. */
  value: Value
  /** The name of the layer, for example `values file` or `workload param`. */
  label?: string
  derivedFrom?: Derivation
}

/** The sources that decided a value of a tree. */
export interface Provenance {
  winner: Source
  /** The sources that the winner replaced or hid, the strongest first. */
  overridden: readonly Source[]
}
