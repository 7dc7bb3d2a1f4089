import { settingsDigest } from '../operator-settings.ts'
import type { ObservedGroup } from '../run/branch-run.ts'
import { noErrors } from '../run/directory-errors.ts'
import { isSettled } from '../run/groups.ts'
import { warningsOfSuccess } from '../run/recorded-warnings.ts'
import { type ComparedDirectories, comparisonOutcome, type InspectedSide } from './inspected-side.ts'

/**
 * What inspecting directories at a dry commit would give when their branch was hydrated from just that, with the same members, settings
 * and renderers: what the run found out then. Undefined when they have to be inspected.
 * @param at their group with the commits that are looked at
 */
export function settledSide(
  { run, directories }: ComparedDirectories,
  at: ObservedGroup,
): InspectedSide | undefined {
  const { held: fingerprints, settings, renderers } = run
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
    plan: { changed: [], fingerprints, rendered: new Map(), objects: new Map(), errors: noErrors() },
  }
}
