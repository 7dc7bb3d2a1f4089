import { create } from '@bufbuild/protobuf'
import { type ShownDiff, shownDiffs } from '@wadi/changes/report/equal-diffs.ts'
import {
  type ApplicationChanges,
  type ChangesSummary,
  ChangesSummarySchema,
  type ObjectChange,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { EqualChanges } from '../../components/equal-change-note.tsx'

/** Characters of all texts; to look for equal diffs in more would keep the page waiting. */
const maxText = 8_000_000

/** Finds the changes of a comparison that are equal in several Applications, once all are there. */
export function equalChanges(
  applications: readonly ApplicationChanges[],
  summary: ChangesSummary | undefined,
): EqualChanges {
  const equal = new Map<ObjectChange, ShownDiff>()
  if (!summary || textLength(applications) > maxText) return equal
  const report = { summary: create(ChangesSummarySchema), applications, before: '', after: '' }
  for (const diff of shownDiffs(report)) {
    if (diff.others.length === 0) continue
    for (const { object } of [diff, ...diff.others]) equal.set(object, diff)
  }
  return equal
}

function textLength(applications: readonly ApplicationChanges[]): number {
  return applications.reduce(
    (sum, { objects }) => objects.reduce((own, { before, after }) => own + before.length + after.length, sum),
    0,
  )
}
