import { type Finding, objectName } from './finding.ts'
import type { Waiver } from './settings/gate-settings.ts'
import { globMatcher } from './settings/waivers-of.ts'

/** The findings that remain, a warning for each waiver that has expired, and the number of findings that are waived. */
export interface WaivedFindings<Found> {
  readonly findings: readonly Found[]
  readonly expired: readonly Finding[]
  readonly waived: number
}

/**
 * Leaves out the findings of an Application that a waiver covers.
 * @param waivers those of the Application
 * @param today the day in UTC, `YYYY-MM-DD`
 */
export function applyWaivers<Found extends Pick<Finding, 'rule' | 'object'>>(
  findings: readonly Found[],
  waivers: readonly Waiver[],
  today: string,
): WaivedFindings<Found> {
  const valid = waivers.filter(({ expires }) => expires >= today).map(covering)
  const expired = waivers.filter(({ expires }) => expires < today)
  const rest = findings.filter((finding) => !valid.some((covers) => covers(finding)))
  return { findings: rest, expired: expired.map(expiredWaiver), waived: findings.length - rest.length }
}

function covering({ rule, object }: Waiver): (finding: Pick<Finding, 'rule' | 'object'>) => boolean {
  const matches = globMatcher(object)
  return (finding) =>
    (finding.rule === rule || finding.rule.startsWith(`${rule}/`)) && matches(objectName(finding))
}

function expiredWaiver({ rule, owner, expires, path, at }: Waiver): Finding {
  return {
    rule: 'waivers/expired',
    severity: 'warn',
    object: { group: '', version: '', kind: '', namespace: '', name: '' },
    field: path,
    message: `the waiver of ${owner} for ${rule} expired on ${expires}; remove it, after its cause`,
    at,
  }
}
