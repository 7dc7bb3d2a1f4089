import { posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { readSourceHydrator } from '@wadi/resources/application/application.ts'
import { type DrySource, drySourcesOf } from '@wadi/resources/application/dry-sources.ts'

/**
 * Returns a value without fields that are null or undefined, also those further in: a JSON merge patch cannot store a null, so what
 * was written by one is compared in this form.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]))
}

/**
 * Returns the form in which a `sourceHydrator` of a spec and one that a status records are equal when they ask for the same: without unknown
 * fields, absent, empty and default values alike, and repositories and paths in one spelling.
 */
export function specForm(spec: unknown): unknown {
  const fields = isJsonObject(spec) ? spec : {}
  // A status keeps the only source of a list in both forms.
  const { drySource: _first, ...listed } = fields
  const isListed = Array.isArray(fields['drySources']) && fields['drySources'].length > 0
  const read = readSourceHydrator(isListed ? listed : fields, new FieldReader('spec.sourceHydrator'))
  const { syncSource, hydrateTo } = read
  const repoUrl = syncSource.repoURL ?? read.drySource.repoURL
  return {
    sources: drySourcesOf(read).map(sourceForm),
    destination: normalizeRepositoryUrl(repoUrl),
    branch: syncSource.targetBranch,
    path: pathForm(syncSource.path),
    stagingBranch: hydrateTo?.targetBranch ?? '',
  }
}

/** Returns whether two values of `sourceHydrator`, each as written or as recorded, ask for the same. */
export function sameSpec(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(specForm(a), specForm(b))
}

function sourceForm({ repoURL, path, helm, kustomize, directory, plugin, ...source }: DrySource): unknown {
  return {
    ...source,
    repoURL: normalizeRepositoryUrl(repoURL),
    path: pathForm(path),
    ...optionsForm({ helm, kustomize, directory, plugin }),
  }
}

/** The options of each tool without those that say nothing, as Go's `omitempty` leaves them out. */
function optionsForm(tools: Readonly<Record<string, Record<string, unknown> | undefined>>): object {
  return withContent(
    Object.entries(tools).map(([tool, options]) => [tool, withContent(Object.entries(options ?? {}))]),
  )
}

function withContent(fields: [string, unknown][]): object {
  const clean = fields.map(([name, value]) => [name, withoutNulls(value)] as const)
  return Object.fromEntries(clean.filter(([, value]) => hasContent(value)))
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== '' && value !== false
}

function pathForm(path: string): string {
  const clean = posix.normalize(path).replace(/\/+$/, '').replace(/^\/+/, '')
  return clean === '.' ? '' : clean
}
