import { DomainError } from '@wadi/errors/domain-error.ts'
import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { FieldReader } from '@wadi/fields/field-reader.ts'

/** Conditions on a repository and its branch; all that are given must hold. */
export interface ScmProviderFilter {
  repositoryMatch: Matcher | undefined
  /** At least one label has to match. */
  labelMatch: Matcher | undefined
  branchMatch: Matcher | undefined
  paths: readonly { path: string; exists: boolean }[]
  /** True if it filters branches, not only repositories. */
  isOfBranches: boolean
}

const maxFilters = 100

/** The items of `filters`, each a map; at most 100. */
export function filterEntries(
  reader: FieldReader,
  fields: Record<string, unknown>,
): { entry: Record<string, unknown>; at: string }[] {
  const entries = reader.list(fields, 'filters', '')
  if (entries.length > maxFilters) reader.report(`filters: at most ${maxFilters} are accepted`)
  return entries.slice(0, maxFilters).flatMap((entry, index) => {
    const at = `filters[${index}].`
    return reader.isObject(entry, `filters[${index}]`) ? [{ entry, at }] : []
  })
}

/** Reads a regular expression of Go, which any part of a text may match; undefined when there is none. */
export function readRegex(
  reader: FieldReader,
  entry: Record<string, unknown>,
  field: string,
  at: string,
): Matcher | undefined {
  const pattern = reader.string(entry, field, at)
  if (pattern === undefined) return undefined
  try {
    return compileGoRegex(pattern)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    reader.report(`${at}${field}: ${error.message}`)
    return undefined
  }
}

/** Reads the filters of an scmProvider generator. */
export function readScmProviderFilters(
  reader: FieldReader,
  fields: Record<string, unknown>,
): ScmProviderFilter[] {
  return filterEntries(reader, fields).map(({ entry, at }) => {
    const branchMatch = readRegex(reader, entry, 'branchMatch', at)
    const paths = [
      ...readPaths(reader, entry, 'pathsExist', at).map((path) => ({ path, exists: true })),
      ...readPaths(reader, entry, 'pathsDoNotExist', at).map((path) => ({ path, exists: false })),
    ]
    return {
      repositoryMatch: readRegex(reader, entry, 'repositoryMatch', at),
      labelMatch: readRegex(reader, entry, 'labelMatch', at),
      branchMatch,
      paths,
      isOfBranches: branchMatch !== undefined || paths.length > 0,
    }
  })
}

function readPaths(reader: FieldReader, entry: Record<string, unknown>, field: string, at: string): string[] {
  return reader.strings(entry, field, at).map((text, index) => {
    const path = text.replace(/\/+$/, '')
    if (path.split('/').some((segment) => ['', '.', '..'].includes(segment))) {
      reader.report(`${at}${field}[${index}]: ${JSON.stringify(text)} is not a path inside of a repository`)
    }
    return path
  })
}
