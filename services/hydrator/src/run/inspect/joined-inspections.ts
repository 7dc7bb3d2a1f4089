import { create } from '@bufbuild/protobuf'
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import { type Inspection, InspectionSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Directory } from '../branch-run.ts'
import type { Inspections } from './list-findings.ts'
import type { SourceList } from './source-lists.ts'

/** A list of sources and their inspections. */
export interface InspectedList {
  readonly list: SourceList
  readonly inspections: Inspections
}

/** Joins lists in which directories come several times, once for each of their sources; others stay as they are. */
export function joinedLists(lists: readonly InspectedList[]): readonly InspectedList[] {
  const all = lists.reduce((sum, { list }) => sum + list.directories.length, 0)
  if (lists.length < 2 || new Set(lists.flatMap(({ list }) => list.directories)).size === all) return lists
  const byDirectory = new Map<Directory, (Inspection | undefined)[]>()
  for (const { list, inspections } of lists) {
    for (const [index, directory] of list.directories.entries())
      byDirectory.getOrInsert(directory, []).push(inspections.get(index))
  }
  const directories = [...byDirectory.keys()]
  const list = { directories, position: 0, digest: '', optionsLength: 0, sources: () => [] }
  const joined = Array.from(byDirectory.values(), joinedInspection)
  return [{ list, inspections: VersionedMap.of(joined.entries()) }]
}

function joinedInspection(inspections: readonly (Inspection | undefined)[]): Inspection {
  const known = inspections.filter((inspection) => inspection !== undefined)
  const [first] = known
  if (first && inspections.length === 1) return first
  if (known.length < inspections.length) {
    const error = 'repo-server returned nothing for a source'
    return create(InspectionSchema, { error, retryable: true })
  }
  const named = known.map(({ repositoryTools }) => repositoryTools)
  const wrong = known.filter(({ error }) => error !== '')
  return create(InspectionSchema, {
    fingerprint: wrong.length > 0 ? '' : joinedFingerprint(known.map(({ fingerprint }) => fingerprint)),
    error: wrong.map(({ error }) => error).join('\n'),
    ...(wrong[0]?.place && { place: wrong[0].place }),
    warnings: known.flatMap(({ warnings }) => warnings),
    findings: known.flatMap(({ findings }) => findings),
    coveredFindings: known.flatMap(({ coveredFindings }) => coveredFindings),
    retryable: wrong.length > 0 && wrong.every(({ retryable }) => retryable),
    pluginVariables: [...new Set(known.flatMap(({ pluginVariables }) => pluginVariables))].toSorted(),
    renderers: [...new Set(known.flatMap(({ renderers }) => renderers))],
    tools: [...new Set(known.flatMap(({ tools }) => tools))],
    wantsFormer: known.some(({ wantsFormer }) => wantsFormer),
    wantsDefinitions: known.some(({ wantsDefinitions }) => wantsDefinitions),
    ...(named[0] && named.every((one) => isDeepStrictEqual(one, named[0])) && { repositoryTools: named[0] }),
  })
}

/** The fingerprint of what sources are joined to, in their order; that of a single source is its own. */
export function joinedFingerprint(fingerprints: readonly string[]): string {
  const [first = ''] = fingerprints
  if (fingerprints.length < 2) return first
  return createHash('sha256').update(fingerprints.join('\n')).digest('hex')
}
