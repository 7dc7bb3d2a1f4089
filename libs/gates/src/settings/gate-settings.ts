import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import { isCalendarDay } from '../calendar-day.ts'
import { type Severity, severities } from '../finding.ts'
import { type GateName, gateNames, type GateSeverities, repositoryGateNames } from '../gate-names.ts'

const maxWaivers = 1_000

/** The settings of gates in a repository's `wadi.yaml`. */
export interface GateSettings {
  /** Only the gates that the file names. */
  readonly gates: GateSeverities
  readonly waivers: readonly Waiver[]
}

/** An exception, for a time, that somebody answers for. */
export interface Waiver {
  /** A gate, or one of its rules: `secrets` or `secrets/password`. */
  readonly rule: string
  /** A glob for names of Applications; undefined for all. */
  readonly application: string | undefined
  /** A glob for objects as `Kind/namespace/name`, or `Kind/name` without a namespace; undefined for all. */
  readonly object: string | undefined
  readonly reason: string
  readonly owner: string
  /** The last day in UTC on which it applies, `YYYY-MM-DD`. */
  readonly expires: string
  /** The path in the file, for example `waivers[0]`. */
  readonly path: string
  readonly at: Location
}

/**
 * Reads `gates` and `waivers` of a `wadi.yaml`.
 * @throws InvalidInputError with the place of an unknown key, a missing or wrong value, and above 1,000 waivers
 */
export function readGates(document: Located): GateSettings {
  const fields = locatedFields()
  const gates = fields.object(document, 'gates', '')
  const waivers = fields.objects(document, 'waivers', '')
  if (waivers.length > maxWaivers) {
    throw invalid(document, 'waivers', `has ${waivers.length} items; at most ${maxWaivers} are accepted`)
  }
  return {
    gates: gates === undefined ? {} : readSeverities(gates),
    waivers: waivers.map(({ item, path }) => readWaiver(item, path)),
  }
}

function readSeverities(gates: Located): GateSeverities {
  locatedFields().known(gates, repositoryGateNames, 'gates.')
  const named = repositoryGateNames.flatMap((name): [GateName, Severity | 'off'][] => {
    const part = partOf(gates, name)
    return part === undefined ? [] : [[name, readSeverity(part, `gates.${name}`)]]
  })
  return Object.fromEntries(named)
}

function readSeverity({ value, at }: Located, path: string): Severity | 'off' {
  // YAML 1.1 has `off` as a boolean.
  if (value === false || value === 'off') return 'off'
  const severity = severities.find((one) => one === value)
  if (severity !== undefined) return severity
  throw new InvalidInputError(`${path} must be ${severities.join(', ')} or off`, { at, path })
}

function readWaiver(waiver: Located, path: string): Waiver {
  const fields = locatedFields()
  const at = `${path}.`
  fields.known(waiver, ['rule', 'application', 'object', 'reason', 'owner', 'expires'], at)
  const glob = (field: string): string | undefined => {
    const pattern = fields.string(waiver, field, at)
    if (pattern !== undefined) checkGlob(pattern, waiver, `${at}${field}`)
    return pattern
  }
  return {
    rule: readRule(fields.requiredString(waiver, 'rule', at), waiver, `${at}rule`),
    application: glob('application'),
    object: glob('object'),
    reason: fields.requiredString(waiver, 'reason', at),
    owner: fields.requiredString(waiver, 'owner', at),
    expires: readDay(fields.requiredString(waiver, 'expires', at), waiver, `${at}expires`),
    path,
    at: waiver.at,
  }
}

function readRule(rule: string, waiver: Located, path: string): string {
  if (gateNames.some((name) => rule === name || rule.startsWith(`${name}/`))) return rule
  throw invalid(
    waiver,
    path,
    `must be a gate (${gateNames.join(', ')}) or one of its rules, such as secrets/aws`,
  )
}

function checkGlob(pattern: string, waiver: Located, path: string): void {
  try {
    compileArgoGlob(pattern)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    throw invalid(waiver, path, `is not a pattern: ${error.reason}`)
  }
}

function readDay(day: string, waiver: Located, path: string): string {
  if (isCalendarDay(day)) return day
  throw invalid(waiver, path, 'must be a day as YYYY-MM-DD')
}

function invalid(object: Located, path: string, reason: string): InvalidInputError {
  const part = partOf(object, path.split('.').at(-1) ?? '')
  return new InvalidInputError(`${path} ${reason}`, { at: (part ?? object).at, path })
}
