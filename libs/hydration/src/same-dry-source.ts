import { createHash } from 'node:crypto'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { type DrySources, drySourcesOf } from '@wadi/resources/application/dry-sources.ts'

/** The source and revision that a dry commit is resolved from. */
export interface DrySourceName {
  readonly repoURL: string
  readonly targetRevision: string
  /** Absent, or empty, for a git repository. */
  readonly chart?: string | undefined
  /** Names the whole list of sources of which this is the first; absent, or empty, for a source that is the only one. */
  readonly sources?: string | undefined
}

/** Text that is equal for equal dry sources, whatever the spelling of their repository. */
export function drySourceKey({ repoURL, targetRevision, chart = '', sources = '' }: DrySourceName): string {
  return JSON.stringify([normalizeRepositoryUrl(repoURL), targetRevision, chart, sources])
}

/** True if two names are of one dry source. */
export function sameDrySource(a: DrySourceName, b: DrySourceName): boolean {
  if (a.targetRevision !== b.targetRevision || (a.chart ?? '') !== (b.chart ?? '')) return false
  if ((a.sources ?? '') !== (b.sources ?? '')) return false
  return a.repoURL === b.repoURL || drySourceKey(a) === drySourceKey(b)
}

/** The name by which the dry commits of an Application are known: that of its first source, with the others. */
export function dryNameOf(sources: DrySources): DrySourceName {
  const { repoURL, targetRevision, chart } = sources.drySource
  const listed = drySourcesOf(sources)
  const name = { repoURL, targetRevision, ...(chart !== undefined && { chart }) }
  return listed.length === 1 ? name : { ...name, sources: listDigest(sources) }
}

function listDigest(sources: DrySources): string {
  const names = drySourcesOf(sources).map((source) => [drySourceKey(source), source.ref ?? ''])
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 22)
}
