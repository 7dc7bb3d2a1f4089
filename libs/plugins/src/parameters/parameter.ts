/** One entry of a map, in a form that JSON keeps whatever the key is. */
export type MapEntry = readonly [key: string, value: string]

/** A value of a parameter; numbers and booleans are their text, exactly as they were written. */
export type ParameterValue =
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly string[] }
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[] }

/**
 * A parameter that a source sets, in the one form that every way of writing it is brought to. It is plain JSON, so that
 * it can be a part of a fingerprint. Argo CD lets a parameter carry several kinds of value at once.
 */
export interface Parameter {
  /** Never empty. */
  readonly name: string
  /** `''` is the main group. */
  readonly group: string
  readonly string?: string
  readonly array?: readonly string[]
  /** No key comes twice. */
  readonly map?: readonly MapEntry[]
  /** The written form: Argo CD's `{string, array, map}`, the proposal's `{value, group}` or its typed form `{value: {number: 1}}`. */
  readonly form: 'flat' | 'value' | 'typed'
  /** The type that the typed form gives a single value; `''` otherwise. */
  readonly itemType: '' | 'string' | 'number' | 'boolean'
  /** Warnings for the author, although the parameter can be read. */
  readonly warnings: readonly string[]
}
