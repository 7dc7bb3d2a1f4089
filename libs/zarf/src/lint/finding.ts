import { byCodeUnits } from '@wadi/order/by-name.ts'
import { DomainError, InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { shortened, someOf } from '@wadi/errors/some-of.ts'

/** Something that a person should know of a package. */
export interface Finding {
  /** An error keeps the package from being hydrated, a note does not. */
  severity: 'error' | 'note'
  /** What is wrong or worth to know, and what to do. Does not begin with the place. */
  message: string
  at?: Location
}

/** The most findings that an error lists. */
const maxListed = 100

/** Returns a finding as text, with its place in front. */
export function formatFinding(finding: Finding): string {
  return finding.at === undefined ? finding.message : `${formatLocation(finding.at)}: ${finding.message}`
}

/**
 * Runs a step and, when the input is at fault, keeps the error as a finding and returns undefined, so that the other
 * steps can tell of their faults too.
 */
export function collect<T>(findings: Finding[], at: Location | undefined, step: () => T): T | undefined {
  try {
    return step()
  } catch (cause) {
    addError(findings, at, cause)
    return undefined
  }
}

/** Does what {@link collect} does for a step that takes time. */
export async function collectLater<T>(
  findings: Finding[],
  at: Location | undefined,
  step: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await step()
  } catch (cause) {
    addError(findings, at, cause)
    return undefined
  }
}

function addError(findings: Finding[], at: Location | undefined, cause: unknown): void {
  if (!(cause instanceof DomainError) || cause.retryable) {
    throw cause
  }
  // A message that begins with the place where the fault is does not need the place that led there.
  const located =
    at === undefined || /^\S+?:\d+(?::\d+)?: /.test(cause.message) || cause.message.startsWith(`${at.file}: `)
  findings.push({ severity: 'error', message: cause.message, ...(located ? {} : { at }) })
}

/** Returns the findings that are errors. */
export function errorsOf(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error')
}

/** Returns findings by file, line and column, each once; those without a place come first. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const distinct = new Map(
    findings.map((finding) => [`${finding.severity} ${formatFinding(finding)}`, finding]),
  )
  return [...distinct.values()].toSorted(
    (a, b) =>
      byCodeUnits(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
      byCodeUnits(a.message, b.message),
  )
}

/**
 * Throws one error for all findings that are errors; returns when there is none.
 *
 * @throws InvalidInputError with one line for each, after the headline when there are several.
 */
export function throwErrors(headline: string, findings: readonly Finding[]): void {
  const lines = sortFindings(errorsOf(findings)).map(formatFinding)
  const [only] = lines
  if (only === undefined) {
    return
  }
  if (lines.length === 1) {
    throw new InvalidInputError(shortened(only))
  }
  throw new InvalidInputError([headline, ...someOf(lines, maxListed)].join('\n'))
}

/** Counts what hostile input could make endless. */
export interface Budget {
  /** What may still be done. */
  left: number
}

/**
 * Takes from a budget; what was begun with something left may exceed it.
 *
 * @throws ResourceExhaustedError with the message when nothing is left.
 */
export function spend(budget: Budget, message: string, amount = 1): void {
  const isGone = budget.left <= 0
  budget.left -= amount
  if (isGone) {
    throw new ResourceExhaustedError(message)
  }
}
