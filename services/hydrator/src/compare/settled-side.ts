import { settingsDigest } from '../operator-settings.ts'
import type { ObservedGroup } from '../run/branch-run.ts'
import { noErrors } from '../run/directory-errors.ts'
import { noDefinitions } from '../run/inspect/inspect.ts'
import { isSettled } from '../run/observe/groups.ts'
import { warningsOfSuccess } from '../run/report/recorded-warnings.ts'
import { type ComparedDirectories, comparisonOutcome, type InspectedSide } from './inspected-side.ts'

/**
 * Returns the result of inspecting directories at a dry commit from the record, if their branch was hydrated from just that commit with the
 * same members, settings and renderers; undefined if they must be inspected.
 * @param at their group, with the commits to inspect
 */
export function settledSide(
  { run, directories }: ComparedDirectories,
  at: ObservedGroup,
): InspectedSide | undefined {
  const { known: fingerprints, settings, renderers } = run
  if (!fingerprints || !isSettled(at, settingsDigest(settings, renderers))) return undefined
  if (!directories.every(({ path }) => fingerprints.has(path))) return undefined
  const { warnings, areAll } = warningsOfSuccess(at.before)
  if (!areAll) return undefined
  return {
    run: { ...run, directories: new Map([[at, directories]]) },
    group: at,
    drySha: at.drySha,
    keepDate: false,
    outcome: { ...comparisonOutcome(run), warnings },
    plan: {
      changed: [],
      fingerprints,
      rendered: new Map(),
      objects: new Map(),
      defined: new Map(),
      outdatedBy: undefined,
      errors: noErrors(),
      wantsFormer: new Set(),
      ...noDefinitions,
    },
  }
}
