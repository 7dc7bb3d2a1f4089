/** The text of a single value; `''` for a list, an object and for nothing. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
  const isScalar = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  return isScalar ? String(value) : ''
}
