import type { PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import { create } from '@bufbuild/protobuf'
import { applicationChanges } from '@wadi/changes/applications/application-changes.ts'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { FoundApplications } from './local-applications.ts'

/** The facts in files about Applications besides those that could be read. */
export interface FileFindings {
  /** The file that an Application is in or comes from, by its key. */
  readonly roots: ReadonlyMap<string, string>
  /** The errors of files that name Applications. */
  readonly unreadable: ReadonlyMap<string, UnreadableFile>
  /** The errors of invalid Applications, by their keys. */
  readonly invalid: ReadonlyMap<string, string>
}

/** The reason why a file cannot be read. */
export interface UnreadableFile {
  readonly error: string
  /** True if it may be intended: a template of a chart, or YAML of something else, as values are. */
  readonly isExpected: boolean
}

/** The Applications that a change broke in files. */
interface BrokenFiles {
  /** Applications that the changed side only lacks because of it. */
  readonly keys: ReadonlySet<string>
  /** Failed Applications. */
  readonly failed: readonly ApplicationChanges[]
  readonly warnings: readonly string[]
}

/** Compares what is wrong in files on both sides: what the change broke fails, so that it is not shown as removed. */
export function brokenFiles(before: FoundApplications, after: FoundApplications): BrokenFiles {
  const [old, now] = [before.files, after.files]
  const keys = new Set<string>()
  const reasons = new Map<string, string>()
  for (const key of before.applications.keys()) {
    const found = after.applications.has(key) ? undefined : reasonFor(key, before, now)
    if (!found) continue
    keys.add(key)
    reasons.set(found.name, found.reason)
  }
  const said = new Set(reasons.values())
  const news = [...(now?.unreadable ?? [])].filter(([path]) => !old?.unreadable.has(path))
  return {
    keys,
    failed: [...reasons].map(([name, reason]) => failure(name, reason, before.applications.get(name))),
    warnings: [
      ...(now?.invalid.values() ?? []),
      ...news.flatMap(([, { error, isExpected }]) => (isExpected ? [] : [error])),
    ].filter((text) => !said.has(text)),
  }
}

/** Returns why an Application is missing on the changed side: the error in it, its file or its maker; undefined if there is none. */
function reasonFor(
  key: string,
  before: FoundApplications,
  now: FileFindings | undefined,
): { name: string; reason: string } | undefined {
  const maker = before.makers.get(key)?.split(' ')[1]
  const root = before.files?.roots.get(key)
  const unreadable = root === undefined ? undefined : now?.unreadable.get(root)?.error
  if (unreadable !== undefined) return { name: maker ?? key, reason: unreadable }
  for (const name of [key, maker]) {
    const reason = name === undefined ? undefined : now?.invalid.get(name)
    if (name !== undefined && reason !== undefined) return { name, reason }
  }
  return undefined
}

function failure(qualified: string, error: string, known: PlacedApplication | undefined): ApplicationChanges {
  if (known) return applicationChanges(known, known, { outcome: 'failed', errors: [error] })
  const [namespace = '', name = ''] = qualified.split('/')
  return create(ApplicationChangesSchema, { namespace, name, outcome: 'failed', errors: [error] })
}
