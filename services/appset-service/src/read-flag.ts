import type { FieldReader } from '@wadi/resources/field-reader.ts'

/** Returns a field that is true or false, false when it is missing or null; anything else is a fault. */
export function readFlag(
  reader: FieldReader,
  fields: Record<string, unknown>,
  field: string,
  at: string,
): boolean {
  const value = fields[field] ?? false
  if (typeof value !== 'boolean') reader.fault(`${at}${field} has to be true or false`)
  return value === true
}
