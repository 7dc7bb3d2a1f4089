import { nearestName } from '@wadi/errors/nearest-name.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { rulesOf } from './check-objects.ts'
import type { Finding } from './finding.ts'
import { type GateName, gateNames, repositoryGateNames } from './gate-names.ts'
import type { GateCheck } from './run-gates.ts'
import type { WaiverTerms } from './settings/read-waiver.ts'

const maxRules = 10

/** A warning about a waiver. */
interface WaiverWarning<Waiver> extends Pick<Finding, 'rule' | 'severity' | 'field' | 'message'> {
  readonly waiver: Waiver
}

/**
 * Returns a warning for each waiver that has expired, and for each whose gate runs and has no such rule. The operator may ask for other
 * policies and programs elsewhere: of their names only those are mistakes that are nearly a known one.
 */
export async function waiverWarnings<Waiver extends WaiverTerms>(
  waivers: readonly Waiver[],
  { severities, context, today }: Pick<GateCheck, 'severities' | 'context' | 'today'>,
): Promise<WaiverWarning<Waiver>[]> {
  const rules = new Map<GateName, Promise<readonly string[]>>()
  const warnings: WaiverWarning<Waiver>[] = []
  for (const waiver of waivers) {
    const { owner, rule, expires, path } = waiver
    const warn = (kind: string, message: string) =>
      warnings.push({
        waiver,
        rule: `waivers/${kind}`,
        severity: 'warn',
        field: path,
        message: `the waiver of ${owner} for ${rule} ${message}`,
      })
    if (expires < today) {
      warn('expired', `expired on ${expires}; remove it, after its cause`)
      continue
    }
    const gate = gateNames.find((name) => rule.startsWith(`${name}/`))
    if (gate === undefined || (severities[gate] ?? 'off') === 'off') continue
    const known = await rules.getOrInsertComputed(gate, () => rulesOf(gate, context))
    const reason = unknownReason(gate, rule.slice(gate.length + 1), known)
    if (reason !== undefined) warn('unknown', reason)
  }
  return warnings
}

function unknownReason(gate: GateName, name: string, known: readonly string[]): string | undefined {
  // Below their names, programs have rules of their own.
  const [first = ''] = name.split('/')
  if (known.includes(gate === 'programs' ? first : name)) return undefined
  const nearest = nearestName(gate === 'programs' ? first : name, known)
  const areAll = repositoryGateNames.some((one) => one === gate)
  if (nearest === undefined && !areAll) return undefined
  const advice =
    nearest === undefined ? `expected one of ${someInLine(known, maxRules)}` : `did you mean ${nearest}?`
  return `covers nothing: unknown rule of the gate ${gate}; ${advice}`
}
