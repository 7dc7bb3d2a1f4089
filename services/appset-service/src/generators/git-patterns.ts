import type { FieldReader } from '@wadi/resources/field-reader.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import { readFlag } from '../read-flag.ts'

/** What directories or files are found by. */
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
    if (!isRecord(entry)) {
      reader.fault(`${at} has to be a map`)
      continue
    }
    const isExclude = readFlag(reader, entry, 'exclude', `${at}.`)
    const list = isExclude ? patterns.excludes : patterns.includes
    list.push(reader.requiredText(entry, 'path', `${at}.`))
  }
  return entries.length === 0 ? undefined : patterns
}
