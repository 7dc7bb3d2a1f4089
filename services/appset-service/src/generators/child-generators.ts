import { FieldReader } from '@wadi/resources/field-reader.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import type { GeneratorEntry } from '../application-set.ts'

/**
 * The generators inside of a matrix or merge generator that stands at `path`.
 * @throws InvalidInputError
 */
export function childGenerators(fields: Record<string, unknown>, path: string): GeneratorEntry[] {
  const reader = new FieldReader(path)
  const children = reader.list(fields, 'generators', '').flatMap((child, index): GeneratorEntry[] => {
    if (isRecord(child)) return [{ path: `${path}.generators[${index}]`, fields: child }]
    reader.fault(`generators[${index}] has to be a map`)
    return []
  })
  reader.throwFaults()
  return children
}
