import { createHash } from 'node:crypto'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type { Inspection } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { isDefaultLayout } from '@wadi/resources/application/layout.ts'
import type { Directory, Fingerprints } from '../branch-run.ts'
import type { DirectoryDefinitions } from '../definitions/made-kinds.ts'
import type { SourceList } from './source-lists.ts'

/** The inspections of the sources of a list by their indices; without those that repo-server did not return. */
export type Inspections = VersionedMap<number, Inspection>

/** Facts from the inspections of a list. */
export interface ListFindings {
  readonly inspections: Inspections
  /** The fingerprint that decides the files of each directory; without directories that have an error. */
  readonly fingerprints: Fingerprints
  /** The indices of the directories that have more to say, in their order: an error, a warning, a finding, or several members. */
  readonly notable: readonly number[]
}

/**
 * Returns what inspections of a list say.
 * @param before earlier findings of the list, which stay where the inspections do
 */
export function findingsOf(
  { directories }: SourceList,
  inspections: Inspections,
  before: ListFindings | undefined,
): ListFindings {
  const notable = new Set(before?.notable)
  const fingerprints: [path: string, fingerprint: string | undefined][] = []
  for (const index of before ? inspections.differingFrom(before.inspections) : directories.keys()) {
    const [directory, inspection] = [directories[index], inspections.get(index)]
    if (!directory) continue
    const isFine = inspection !== undefined && inspection.error === ''
    fingerprints.push([directory.path, isFine ? identityOf(directory, inspection.fingerprint) : undefined])
    const isQuiet = isFine && isNothingFound(inspection)
    if (isQuiet && directory.members.length === 1) notable.delete(index)
    else notable.add(index)
  }
  return {
    inspections,
    fingerprints: (before?.fingerprints ?? VersionedMap.of()).with(fingerprints),
    notable: [...notable].toSorted((one, other) => one - other),
  }
}

function isNothingFound({ warnings, findings, coveredFindings }: Inspection): boolean {
  return [warnings, findings, coveredFindings].every(({ length }) => length === 0)
}

/** Returns the identity of a directory whose objects are checked by definitions of others. */
export function definedIdentity(identity: string, definitions: DirectoryDefinitions | undefined): string {
  return definitions === undefined ? identity : `${identity}.${definitions.id.slice(0, 11)}`
}

/** Returns the identity that decides all files of a directory: its layout, too, and the README names the Applications. */
export function identityOf({ members, layout }: Directory, fingerprint: string): string {
  const shape = isDefaultLayout(layout) ? '' : `\n${layout.files} ${layout.crds}`
  const names = members.map((member) => member.name).join('\n') + shape
  return `${fingerprint}.${createHash('sha256').update(names).digest('base64url').slice(0, 11)}`
}
