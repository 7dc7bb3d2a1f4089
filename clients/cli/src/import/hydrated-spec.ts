import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'

/** The place that an Application is hydrated to. */
export interface SyncSource {
  readonly repoURL?: string
  readonly targetBranch: string
  readonly path: string
}

/** A field that a source gets, or no longer has if the value is undefined. */
export interface SourceChange {
  /** The position among the sources, from 0. */
  readonly position: number
  readonly path: readonly string[]
  readonly value: JsonValue | undefined
}

/** Returns the sources of an Application's spec as they are written, and false for `isList` if it is `source`. */
export function writtenSources(spec: Manifest): { isList: boolean; sources: readonly Manifest[] } {
  const { source, sources } = spec
  if (hasContent(source)) return { isList: false, sources: isJsonObject(source) ? [source] : [] }
  return { isList: true, sources: Array.isArray(sources) ? sources.filter(isJsonObject) : [] }
}

/** Returns the spec of an Application with `sourceHydrator` in the place of its sources. */
export function hydratedSpec(
  spec: Manifest,
  changes: readonly SourceChange[],
  syncSource: SyncSource,
): Manifest {
  const { isList, sources } = writtenSources(spec)
  const dry = sources.map((source, position) =>
    changes
      .filter((change) => change.position === position)
      .reduce<Manifest>((fields, { path, value }) => withField(fields, path, value), source),
  )
  const [only] = dry
  const isSingle = dry.length === 1 && (!isList || only?.['ref'] === undefined)
  const drySources: Manifest = isSingle && only !== undefined ? { drySource: only } : { drySources: dry }
  const name = isList ? 'sources' : 'source'
  const { [name]: _, ...rest } = spec
  return { ...rest, sourceHydrator: { ...drySources, syncSource: { ...syncSource } } }
}

/** True for a field that says something: templates written by hand leave an empty `source` or `sources` behind. */
export function hasContent(value: JsonValue | undefined): value is JsonValue {
  if (value === undefined || value === null) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Returns an object with another value at a path; a map that is left without entries goes, too. */
export function withField(fields: Manifest, path: readonly string[], value: JsonValue | undefined): Manifest {
  const [key = '', ...rest] = path
  const { [key]: old, ...others } = fields
  if (rest.length === 0) return value === undefined ? others : { ...fields, [key]: value }
  const inner = withField(isJsonObject(old) ? old : {}, rest, value)
  return Object.keys(inner).length === 0 ? others : { ...fields, [key]: inner }
}
