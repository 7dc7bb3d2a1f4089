type Scalar = string | number | bigint | boolean | symbol | null | undefined

/** The objects among the values of a type; where the type knows no fields, objects of unknown fields. */
type JsonObjectOf<Value> = Value extends Scalar | readonly unknown[]
  ? never
  : string extends keyof Value
    ? Value
    : Value & Record<string, unknown>

/** True if a value is a JSON object: neither a list nor null. */
export function isJsonObject<Value>(value: Value): value is JsonObjectOf<Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
