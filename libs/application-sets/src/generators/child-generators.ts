import { FieldReader } from '@wadi/fields/field-reader.ts'
import type { GeneratorEntry } from '../application-set.ts'

/**
 * The generators inside of a matrix or merge generator that stands at `path`.
 * @throws InvalidInputError
 */
export function childGenerators(fields: Record<string, unknown>, path: string): GeneratorEntry[] {
  const reader = new FieldReader(path)
  const children = reader.list(fields, 'generators', '').flatMap((child, index): GeneratorEntry[] => {
    const at = `generators[${index}]`
    return reader.isObject(child, at) ? [{ path: `${path}.${at}`, fields: child }] : []
  })
  reader.throwFindings()
  return children
}
