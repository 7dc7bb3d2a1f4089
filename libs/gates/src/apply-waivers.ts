import { type Finding, milder, objectName } from './finding.ts'
import { type GateName, gateNames, type GateSeverities } from './gate-names.ts'
import type { Waiver } from './settings/gate-settings.ts'
import { globMatcher } from './settings/waivers-of.ts'

/** The findings that remain, those that waivers cover, and a warning for each waiver that has expired. */
export interface WaivedFindings<Found> {
  readonly findings: readonly Found[]
  readonly covered: readonly (Found & Required<Pick<Finding, 'waiver'>>)[]
  readonly expired: readonly Finding[]
}

/** The waivers of a check, and what bounds them. */
export interface AppliedWaivers {
  /** Those of the Application, expired ones too. */
  readonly waivers: readonly Waiver[]
  /** The day in UTC, `YYYY-MM-DD`. */
  readonly today: string
  /** The severities that findings of a gate keep under a waiver; default: none is kept. */
  readonly unwaivable?: GateSeverities
}

/** Sets apart the findings of an Application that a waiver covers, and makes those milder that the operator asks for. */
export function applyWaivers<Found extends Pick<Finding, 'rule' | 'object' | 'severity' | 'message'>>(
  findings: readonly Found[],
  { waivers, today, unwaivable = {} }: AppliedWaivers,
): WaivedFindings<Found> {
  const valid = waivers
    .filter(({ expires }) => expires >= today)
    .map((waiver) => ({ waiver, covers: covering(waiver) }))
  const expired = waivers.filter(({ expires }) => expires < today)
  const rest: Found[] = []
  const covered: WaivedFindings<Found>['covered'][number][] = []
  for (const finding of findings) {
    const waiver = valid.find(({ covers }) => covers(finding))?.waiver
    const kept = unwaivable[gateOf(finding)] ?? 'off'
    if (waiver === undefined) {
      rest.push(finding)
    } else if (kept === 'off') {
      const { owner, reason, expires } = waiver
      covered.push({ ...finding, waiver: { owner, reason, expires } })
    } else {
      const message = `${finding.message}; the waiver in wadi.yaml does not cover it, as the operator asks for this gate`
      rest.push({ ...finding, severity: milder(finding.severity, kept), message })
    }
  }
  return { findings: rest, covered, expired: expired.map(expiredWaiver) }
}

function gateOf({ rule }: Pick<Finding, 'rule'>): GateName {
  const name = gateNames.find((one) => rule.startsWith(`${one}/`))
  if (name === undefined) throw new Error(`${rule} is not a rule of a gate`)
  return name
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
