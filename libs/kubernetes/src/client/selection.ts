/** Which objects of a kind are listed or watched; a field that is missing does not narrow. */
export interface Selection {
  readonly namespace?: string | undefined
  /** As kubectl's `--selector`. */
  readonly labelSelector?: string | undefined
  /** As kubectl's `--field-selector`; which fields can be selected depends on the kind. */
  readonly fieldSelector?: string | undefined
}

type QueryValue = string | number | boolean | undefined

/** Returns a path with those parameters that are not undefined. */
export function withQuery(path: string, parameters: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
