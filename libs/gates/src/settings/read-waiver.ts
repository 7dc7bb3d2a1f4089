import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import { isCalendarDay } from '../calendar-day.ts'
import { gateNames } from '../gate-names.ts'

/** The most waivers of a `wadi.yaml`, and of the objects of a source in annotations. */
export const maxWaivers = 1_000

/** An exception, for a time, that somebody answers for. */
export interface WaiverTerms {
  /** A gate, or one of its rules: `secrets` or `secrets/password`. */
  readonly rule: string
  readonly reason: string
  readonly owner: string
  /** The last day in UTC on which it applies, `YYYY-MM-DD`. */
  readonly expires: string
  /** The path in the file or the object, for example `waivers[0]`. */
  readonly path: string
}

/** A waiver of `wadi.yaml`. */
export interface Waiver extends WaiverTerms {
  /** A glob for names of Applications; undefined for all. */
  readonly application: string | undefined
  /** A glob for objects as `Kind/namespace/name`, or `Kind/name` without a namespace; undefined for all. */
  readonly object: string | undefined
  readonly at: Location
}

/**
 * Reads a waiver of `wadi.yaml`.
 * @throws InvalidInputError with the place of an unknown key, a missing or wrong value
 */
export function readWaiver(waiver: Located, path: string): Waiver {
  const fields = locatedFields()
  const glob = (field: 'application' | 'object'): string | undefined => {
    const pattern = fields.string(waiver, field, `${path}.`)
    if (pattern !== undefined) checkGlob(pattern, waiver, `${path}.${field}`)
    return pattern
  }
  const terms = readTerms(waiver, path, ['application', 'object'])
  return { ...terms, application: glob('application'), object: glob('object'), at: waiver.at }
}

/**
 * Reads what a waiver says besides what it is for.
 * @param scope the fields that say the latter
 * @throws InvalidInputError with the place of an unknown key, a missing or wrong value
 */
export function readTerms(waiver: Located, path: string, scope: readonly string[] = []): WaiverTerms {
  const fields = locatedFields()
  const at = `${path}.`
  fields.known(waiver, ['rule', ...scope, 'reason', 'owner', 'expires'], at)
  return {
    rule: readRule(fields.requiredString(waiver, 'rule', at), waiver, `${at}rule`),
    reason: fields.requiredString(waiver, 'reason', at),
    owner: fields.requiredString(waiver, 'owner', at),
    expires: readDay(fields.requiredString(waiver, 'expires', at), waiver, `${at}expires`),
    path,
  }
}

/** @throws InvalidInputError for what is not a glob, with the place of the last part of the path in an object */
export function checkGlob(pattern: string, object: Located, path: string): void {
  try {
    compileArgoGlob(pattern)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    throw invalid(object, path, `is not a pattern: ${error.reason}`)
  }
}

/** Returns the error of a field, with its place in an object. */
export function invalid(object: Located, path: string, reason: string): InvalidInputError {
  const part = partOf(object, path.split('.').at(-1) ?? '')
  return new InvalidInputError(`${path} ${reason}`, { at: (part ?? object).at, path })
}

function readRule(rule: string, waiver: Located, path: string): string {
  if (gateNames.some((name) => rule === name || rule.startsWith(`${name}/`))) return rule
  throw invalid(
    waiver,
    path,
    `must be a gate (${gateNames.join(', ')}) or one of its rules, such as secrets/aws`,
  )
}

function readDay(day: string, waiver: Located, path: string): string {
  if (isCalendarDay(day)) return day
  throw invalid(waiver, path, 'must be a day as YYYY-MM-DD')
}
