import type { Location } from '@wadi/errors/location.ts'
import type { ManifestIdentity } from '@wadi/manifests/manifest.ts'

/** All severities: a `deny` fails the check, a `warn` is shown, an `audit` is only kept. */
export const severities = ['deny', 'warn', 'audit'] as const

/** The consequence of a finding. */
export type Severity = (typeof severities)[number]

/** Returns the milder one of two severities. */
export function milder(one: Severity, other: Severity): Severity {
  return severities.indexOf(one) > severities.indexOf(other) ? one : other
}

/** One thing that a gate found in an object. It holds no value of the object. */
export interface Finding {
  /** The gate and its rule, for example `secrets/github`. */
  readonly rule: string
  readonly severity: Severity
  readonly object: ManifestIdentity
  /** The path of the field in the object, for example `data.token`. */
  readonly field: string
  /** One sentence: what is wrong and what to do. */
  readonly message: string
  /** The line that the value comes from; undefined where it is not known. */
  readonly at: Location | undefined
  /** The waiver that covers it; default: none. */
  readonly waiver?: CoveringWaiver
}

/** The acceptance of a finding: by whom, why, and until which day in UTC, `YYYY-MM-DD`. */
interface CoveringWaiver {
  readonly owner: string
  readonly reason: string
  readonly expires: string
}

/** The object of a finding about none. */
export const noObject: ManifestIdentity = { group: '', version: '', kind: '', namespace: '', name: '' }

/** A finding before its place is known. */
export interface UnplacedFinding extends Omit<Finding, 'at'> {
  /** The forms in which the value may be written in a source file. Secret: for the search of the place, never shown. */
  readonly written: readonly string[]
  /** The position of the object among those that were checked; absent for one that is not among them. */
  readonly position?: number
  /** The place, if it is not to be searched. */
  readonly at?: Location
}

/** Returns the object of a finding as `Kind/namespace/name`; a part that it lacks is left out. */
export function objectName({ object: { kind, namespace, name } }: Pick<Finding, 'object'>): string {
  return [kind, namespace, name].filter((part) => part !== '').join('/')
}
