import { type Finding, objectName } from './finding.ts'
import type { Waiver } from './settings/gate-settings.ts'

/** The findings that remain, and the number of those that are waived. */
export interface WaivedFindings {
  readonly findings: readonly Finding[]
  readonly waived: number
}

/**
 * Leaves out the findings of an Application that a waiver covers, and adds a warning for each waiver that has expired.
 * @param application the name of the Application; empty if it is not known, which only waivers for all match
 * @param today the day in UTC, `YYYY-MM-DD`
 */
export function applyWaivers(
  findings: readonly Finding[],
  waivers: readonly Waiver[],
  { application, today }: { application: string; today: string },
): WaivedFindings {
  const own = waivers.filter((waiver) => waiver.application?.(application) ?? true)
  const valid = own.filter(({ expires }) => expires >= today)
  const expired = own.filter(({ expires }) => expires < today)
  const rest = findings.filter((finding) => !valid.some((waiver) => covers(waiver, finding)))
  return { findings: [...rest, ...expired.map(expiredWaiver)], waived: findings.length - rest.length }
}

function covers({ rule, object }: Waiver, finding: Finding): boolean {
  const isOfRule = finding.rule === rule || finding.rule.startsWith(`${rule}/`)
  return isOfRule && (object?.(objectName(finding)) ?? true)
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
