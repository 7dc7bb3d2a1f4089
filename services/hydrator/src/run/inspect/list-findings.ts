import { createHash } from 'node:crypto'
import type { Inspection } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { isDefaultLayout } from '@wadi/resources/application/layout.ts'
import type { Directory } from '../branch-run.ts'
import type { SourceList } from './source-lists.ts'

type Fingerprints = ReadonlyMap<string, string>

/** Facts from the inspections of a list. */
interface ListFindings {
  readonly inspections: readonly Inspection[]
  /** The fingerprint that decides the files of each directory, by path; without directories that have an error. */
  readonly fingerprints: Fingerprints
  /** The indices of the directories that have more to say, in their order: an error, a warning, or several members. */
  readonly notable: ReadonlySet<number>
  /** The fingerprints that were found before, and the directories whose inspection is another one since; undefined for the first. */
  readonly since: { readonly fingerprints: Fingerprints; readonly changed: readonly Directory[] } | undefined
  /** The directories that differ from the newest map that they were compared with. */
  differing: { readonly held: Fingerprints; readonly directories: readonly Directory[] } | undefined
}

const known = new WeakMap<SourceList, ListFindings>()

/**
 * Returns what inspections of a list say; of those that are the same as in the last call, what that found out.
 * @param inspections one for each directory, which nobody changes; fewer when repo-server returned fewer
 */
export function findingsOf(list: SourceList, inspections: readonly Inspection[]): ListFindings {
  const before = known.get(list)
  if (before?.inspections === inspections) return before
  const fingerprints = new Map(before?.fingerprints)
  const notable = new Set(before?.notable)
  const changed: Directory[] = []
  list.directories.forEach((directory, index) => {
    const inspection = inspections[index]
    if (before && inspection === before.inspections[index]) return
    changed.push(directory)
    const isFine = inspection !== undefined && inspection.error === ''
    if (isFine) fingerprints.set(directory.path, identityOf(directory, inspection.fingerprint))
    else fingerprints.delete(directory.path)
    if (isFine && inspection.warnings.length === 0 && directory.members.length === 1) notable.delete(index)
    else notable.add(index)
  })
  const inOrder = new Set([...notable].toSorted((one, other) => one - other))
  const since = before && { fingerprints: before.fingerprints, changed }
  const findings = { inspections, fingerprints, notable: inOrder, since, differing: undefined }
  known.set(list, findings)
  return findings
}

/**
 * The directories of a list whose fingerprint is another one than in a map, which nobody changes; all of them without one. With the map that
 * was found before, as a branch has it that was hydrated then, only what changed since is looked at.
 */
export function differingFrom(
  held: Fingerprints | undefined,
  { directories }: SourceList,
  findings: ListFindings,
): readonly Directory[] {
  const { fingerprints, since } = findings
  if (held === fingerprints) return []
  if (held && findings.differing?.held === held) return findings.differing.directories
  const candidates = since && held === since.fingerprints ? since.changed : directories
  const differing = candidates.filter(({ path }) => {
    const fingerprint = fingerprints.get(path)
    return fingerprint !== undefined && held?.get(path) !== fingerprint
  })
  findings.differing = held && { held, directories: differing }
  return differing
}

/** Returns the identity that decides all files of a directory: its layout, too, and the README names the Applications. */
export function identityOf({ members, layout }: Directory, fingerprint: string): string {
  const shape = isDefaultLayout(layout) ? '' : `\n${layout.files} ${layout.crds}`
  const names = members.map((member) => member.name).join('\n') + shape
  return `${fingerprint}.${createHash('sha256').update(names).digest('base64url').slice(0, 11)}`
}
