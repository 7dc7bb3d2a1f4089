type Defined<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> }

/** Returns the fields without those that are undefined. */
export function withoutUndefined<Fields extends Record<string, unknown>>(fields: Fields): Defined<Fields> {
  const defined: Defined<Fields> = {}
  for (const field in fields) {
    const value = fields[field]
    if (isDefined(value)) defined[field] = value
  }
  return defined
}

function isDefined<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined
}
