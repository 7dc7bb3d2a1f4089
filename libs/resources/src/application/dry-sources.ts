import { posix } from 'node:path'
import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { withoutUndefined } from '@wadi/fields/without-undefined.ts'

/** The repository and the revision of the DRY configuration, and its options. */
export interface DrySource {
  repoURL: string
  /** A branch, tag, commit or version constraint; of a chart a version or range of versions. */
  targetRevision: string
  /** A chart in a Helm repository or OCI registry; absent for a directory of a git repository. */
  chart?: string
  /** The name by which other sources read files of this one, as `$name/path`; absent for none. */
  ref?: string
  /** A name by which people choose the source, for example to set its parameters; what is rendered does not depend on it. */
  name?: string
  /** The directory inside the repository; empty for its root, or for no directory at all when there is a `ref`. */
  path: string
  helm?: Record<string, unknown>
  kustomize?: Record<string, unknown>
  directory?: Record<string, unknown>
  plugin?: Record<string, unknown>
}

/** The dry sources of an Application. */
export interface DrySources {
  /** The only source or the first of `drySources`: its commits are the dry commits of the Application. */
  drySource: DrySource
  /** All sources, when the Application lists them. */
  drySources?: readonly DrySource[]
}

/** Most sources of one Application. */
const maxSources = 20

const sourceAt = 'spec.sourceHydrator.drySource'

/** Returns the sources of an Application in their order. */
export function drySourcesOf({ drySource, drySources }: DrySources): readonly DrySource[] {
  return drySources ?? [drySource]
}

/** True if a source has manifests of its own: one with a `ref` and without a path only gives files to others. */
export function isRendered({ ref, path }: Pick<DrySource, 'ref' | 'path'>): boolean {
  return ref === undefined || path !== ''
}

/** Returns the positions of the sources that have manifests of their own. */
export function renderedPositions(sources: DrySources): number[] {
  return drySourcesOf(sources).flatMap((source, position) => (isRendered(source) ? [position] : []))
}

/** Returns the first source that has manifests of its own. */
export function renderedSource(sources: DrySources): DrySource | undefined {
  return drySourcesOf(sources).find(isRendered)
}

/** Returns the path of each source among the fields of an Application, in their order, without a dot behind it. */
export function drySourceFields(sources: DrySources): { source: DrySource; field: string }[] {
  return drySourcesOf(sources).map((source, index) => ({
    source,
    field: sources.drySources ? `${sourceAt}s[${index}]` : sourceAt,
  }))
}

/** Reads `drySource` or `drySources` of a `sourceHydrator`, and notes the errors. */
export function readDrySources(fields: Record<string, unknown>, reader: FieldReader): DrySources {
  const listed = reader.objects(fields, 'drySources', 'spec.sourceHydrator.')
  const single = reader.object(fields, 'drySource', 'spec.sourceHydrator.')
  if (listed.length === 0) {
    const drySource = readDrySource(single ?? {}, `${sourceAt}.`, reader)
    if (drySource.ref !== undefined) {
      reader.report(`${sourceAt}.ref has no meaning for the only source, so list the sources in drySources`)
    }
    return { drySource }
  }
  if (single !== undefined) reader.report(`${sourceAt} and ${sourceAt}s cannot both be set`)
  if (listed.length > maxSources)
    reader.report(`${sourceAt}s has ${listed.length} sources, more than ${maxSources}`)
  const drySources = listed.map(({ item, path }) => readDrySource(item, `${path}.`, reader))
  checkRefs(drySources, reader)
  const [drySource = readDrySource({}, `${sourceAt}s[0].`, reader)] = drySources
  return { drySource, drySources }
}

function checkRefs(sources: readonly DrySource[], reader: FieldReader): void {
  const first = new Map<string, number>()
  for (const [index, { ref, chart }] of sources.entries()) {
    if (ref === undefined) continue
    const at = `${sourceAt}s[${index}].ref`
    const other = first.get(ref)
    if (other === undefined) first.set(ref, index)
    else
      reader.report(
        `${at}: ${JSON.stringify(ref)} is the ref of drySources[${other}] too, so give each its own`,
      )
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(ref)) {
      reader.report(`${at}: ${JSON.stringify(ref.slice(0, 200))} must be letters, digits, "-" and "_"`)
    }
    if (chart !== undefined) {
      reader.report(
        `${at}: a chart cannot be named by a ref, as only git repositories give values files to others`,
      )
    }
  }
  const rendered = sources.filter(isRendered).length
  if (rendered === 0) {
    reader.report(
      `${sourceAt}s: every source has a ref and no path, so nothing is rendered; give one a path or chart`,
    )
  }
}

function readDrySource(fields: Record<string, unknown>, at: string, reader: FieldReader): DrySource {
  const chart = reader.string(fields, 'chart', at) ?? ''
  const ref = reader.string(fields, 'ref', at) ?? ''
  const path = reader.string(fields, 'path', at)
  if (chart !== '' && !['', '.', undefined].includes(path)) {
    reader.report(`${at}chart and ${at}path cannot both be set: a chart is rendered whole`)
  }
  if (chart === '' && ref === '' && path === undefined)
    reader.report(`${at}path is required (empty for the repository root)`)
  checkPath(path ?? '', `${at}path`, reader)
  return {
    repoURL: reader.requiredString(fields, 'repoURL', at),
    targetRevision: reader.requiredString(fields, 'targetRevision', at),
    ...(chart !== '' && { chart }),
    ...(ref !== '' && { ref }),
    path: path ?? '',
    ...withoutUndefined({
      name: reader.string(fields, 'name', at),
      helm: reader.object(fields, 'helm', at),
      kustomize: reader.object(fields, 'kustomize', at),
      directory: reader.object(fields, 'directory', at),
      plugin: reader.object(fields, 'plugin', at),
    }),
  }
}

/** Notes a path that is not relative or leaves the repository. */
export function checkPath(path: string, field: string, reader: FieldReader): void {
  if (!isInsideRepository(path)) {
    reader.report(`${field}: ${JSON.stringify(path)} must be a relative path inside the repository`)
  }
}

/** True if a path is relative and stays inside, or is a spelling of the root. */
export function isInsideRepository(path: string): boolean {
  const clean = posix.normalize(path)
  if (path.startsWith('/') && !isRoot(path)) return false
  return clean !== '..' && !clean.startsWith('../') && !path.includes('\0')
}

function isRoot(path: string): boolean {
  return ['.', './', '/'].includes(posix.normalize(path))
}
