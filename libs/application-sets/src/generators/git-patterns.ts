import type { FieldReader } from '@wadi/fields/field-reader.ts'

/** The patterns that directories or files must match. */
export interface GitPatterns {
  includes: string[]
  excludes: string[]
}

/** Reads the patterns of `directories` or `files`; undefined when there are none. */
export function readPatterns(
  reader: FieldReader,
  fields: Record<string, unknown>,
  field: 'directories' | 'files',
): GitPatterns | undefined {
  const entries = reader.list(fields, field, '')
  const patterns: GitPatterns = { includes: [], excludes: [] }
  for (const [index, entry] of entries.entries()) {
    const at = `${field}[${index}]`
    if (!reader.isObject(entry, at)) {
      continue
    }
    const isExclude = reader.boolean(entry, 'exclude', `${at}.`) ?? false
    const list = isExclude ? patterns.excludes : patterns.includes
    list.push(reader.requiredString(entry, 'path', `${at}.`))
  }
  return entries.length === 0 ? undefined : patterns
}
