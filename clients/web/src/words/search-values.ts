/** Returns a text of an address, at most 256 characters; undefined for none. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 256) : undefined
}

/** Returns the texts of an address; undefined for none. */
export function textList(value: unknown): string[] | undefined {
  const list = (Array.isArray(value) ? value : [value]).filter(
    (item) => typeof item === 'string' && item !== '',
  )
  return list.length > 0 ? list : undefined
}
