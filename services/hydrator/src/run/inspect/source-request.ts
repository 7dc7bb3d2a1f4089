import type { Verification } from '@wadi/hydration/source-verification.ts'
import type { ObservedGroup, ObservedSource } from '../branch-run.ts'

/** A revision of a repository, and the other sources whose files may be read beside it. */
export interface SourceRequest {
  repoUrl: string
  project: string
  sha: string
  /** The chart whose archive the revision is; absent for a commit. */
  chart?: { name: string; version: string }
  verification?: Verification
  referenced?: { ref: string; repoUrl: string; sha: string; verification?: Verification }[]
}

/**
 * Returns the fields of requests to repo-server about one source of a group.
 * @param drySha the dry commit: that of the first source, while the others are as they were resolved
 */
export function sourceRequest(group: ObservedGroup, position: number, drySha: string): SourceRequest {
  const referenced = group.sources.flatMap((source, index) => {
    if (source.ref === '') return []
    const { repoUrl, sha, verification } = revisionOf(group, source, index, drySha)
    return [{ ref: source.ref, repoUrl, sha, ...(verification && { verification }) }]
  })
  const source = group.sources[position]
  if (!source) throw new Error(`a group has no source ${position}`)
  const others = referenced.length > 0 ? { referenced } : {}
  return { ...revisionOf(group, source, position, drySha), project: group.project, ...others }
}

function revisionOf(
  group: ObservedGroup,
  source: ObservedSource,
  position: number,
  drySha: string,
): Omit<SourceRequest, 'project' | 'referenced'> {
  const isFirst = position === 0
  const sha = isFirst ? drySha : source.drySha
  // A commit that is not the newest is no longer what the revision names.
  const isNamed = sha === source.drySha
  const verification = source.verification && { ...source.verification, ...(!isNamed && { revision: '' }) }
  const chart = chartHeld(group, source, sha)
  return { repoUrl: source.repoUrl, sha, ...(chart && { chart }), ...(verification && { verification }) }
}

/** The chart whose archive a source was resolved to in this run or the last successful one; undefined for a git repository. */
export function chartHeld(
  { sources, before }: ObservedGroup,
  source: ObservedSource,
  sha: string,
): { name: string; version: string } | undefined {
  const { chart: name, drySha, version } = source
  if (name === '') return undefined
  if (sha === drySha) return { name, version }
  const position = sources.indexOf(source)
  const held = position === 0 ? before?.success : before?.success?.others?.[position - 1]
  return { name, version: held?.version ?? '' }
}
