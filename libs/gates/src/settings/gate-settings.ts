import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { type Severity, severities } from '../finding.ts'
import { type GateName, type GateSeverities, repositoryGateNames } from '../gate-names.ts'
import { checkGlob, invalid, maxWaivers, readWaiver, type Waiver } from './read-waiver.ts'

/** The settings of gates in a repository's `wadi.yaml`. */
export interface GateSettings {
  /** Only the gates that the file names. */
  readonly gates: GateSeverities
  readonly waivers: readonly Waiver[]
  /** Globs for the names of Applications whose objects may have waivers in annotations. */
  readonly waiverAnnotations: readonly string[]
}

/**
 * Reads `gates`, `waivers` and `waiverAnnotations` of a `wadi.yaml`.
 * @throws InvalidInputError with the place of an unknown key, a missing or wrong value, and above 1,000 waivers
 */
export function readGates(document: Located): GateSettings {
  const fields = locatedFields()
  const gates = fields.object(document, 'gates', '')
  const waivers = fields.objects(document, 'waivers', '')
  if (waivers.length > maxWaivers) {
    throw invalid(document, 'waivers', `has ${waivers.length} items; at most ${maxWaivers} are accepted`)
  }
  const waiverAnnotations = fields.strings(document, 'waiverAnnotations', '')
  for (const pattern of waiverAnnotations) checkGlob(pattern, document, 'waiverAnnotations')
  return {
    gates: gates === undefined ? {} : readSeverities(gates),
    waivers: waivers.map(({ item, path }) => readWaiver(item, path)),
    waiverAnnotations,
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
