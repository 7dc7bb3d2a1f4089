import { factsOf } from './applications/member-facts.ts'
import type { Member } from './applications/application-index.ts'
import { argoCdParameters, type OperatorSettings } from './operator-settings.ts'
import type { StatusWrites } from './run/run-context.ts'

/** Argo CD's hydrator writes each Application again within a few minutes. */
const activeMs = 10 * 60_000

/**
 * The settings of one branch: where somebody else hydrated one of its Applications in the last ten minutes, as the status says, the branch
 * is left alone. So a hydrator of Argo CD is noticed that was turned on by an argument or a variable.
 */
export function settingsOfBranch(
  settings: OperatorSettings,
  members: readonly Member[],
  { yieldsToArgoCd }: StatusWrites,
  now = Date.now(),
): OperatorSettings {
  if (!yieldsToArgoCd || settings.isLeftToArgoCd) return settings
  const found = factsOf(members).foreign.find(
    ({ foreignOperation }) => Math.abs(now - foreignOperation.startedAt) < activeMs,
  )
  if (!found) return settings
  const error =
    `Application ${found.name} was hydrated by ${found.foreignOperation.manager} in the last ten minutes, so the branch is left to it; ` +
    `turn Argo CD's own hydrator off (${argoCdParameters.configMap}: ${argoCdParameters.hydrator}, or ARGOCD_HYDRATOR_ENABLED or --hydrator-enabled ` +
    `of its application-controller) and restart it, or set WADI_WRITE_STATUS=always for the hydrator`
  return { ...settings, error: [error, settings.error].filter(Boolean).join('; '), isLeftToArgoCd: true }
}
