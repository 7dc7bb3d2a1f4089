import { byCodeUnits } from '@wadi/order/by-name.ts'
import { DomainError, InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { shortened, someOf } from '@wadi/errors/some-of.ts'

/** Something that a person should know of a package. */
export interface Finding {
  /** An error keeps the package from being hydrated, a note does not. */
  severity: 'error' | 'warning'
  /** The problem or the hint, and the advice. Does not begin with the place. */
  message: string
  at?: Location
  /** The value that is meant, `.Values.a.b`. */
  path?: string
  /** Distinguishes findings that code handles differently, in kebab case, for example {@link undefinedValueCode}. */
  code?: string
}

/** The code of a finding about a value that a template or chart needs and nobody defines. */
export const undefinedValueCode = 'undefined-value'

/**
 * A package that cannot be used, with everything that is wrong with it.
 * @internal
 */
export class InvalidPackageError extends InvalidInputError {
  readonly findings: readonly Finding[]

  constructor(message: string, findings: readonly Finding[]) {
    super(message)
    this.findings = findings
  }
}

/** The most findings that an error lists. */
const maxListed = 100

/** Returns a finding as text, with its place in front. */
export function formatFinding(finding: Finding): string {
  return finding.at === undefined ? finding.message : `${formatLocation(finding.at)}: ${finding.message}`
}

/**
 * Runs a step and, when the input is at fault, keeps the error as a finding and returns undefined, so that the other
 * steps can report their errors too.
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
  findings.push(...findingsOf(cause, at))
}

/**
 * The findings that an error stands for.
 * @param at the place that led to the error; an error that knows a line, or the same file, has no need of it
 * @throws the error when the input is not to blame for it
 */
export function findingsOf(error: unknown, at?: Location): readonly Finding[] {
  if (!(error instanceof DomainError) || error.retryable) throw error
  if (error instanceof InvalidPackageError) return error.findings
  const { context, reason, path, code } = error
  const own = context.length === 0 ? error.at : undefined
  const isKnown = at === undefined || own?.line !== undefined || (own?.file ?? context[0]) === at.file
  return [
    {
      severity: 'error',
      ...(isKnown && own
        ? { message: reason, at: own }
        : { message: error.message, ...(!isKnown && { at }) }),
      ...(path !== undefined && { path }),
      ...(code !== undefined && { code }),
    },
  ]
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
  const errors = sortFindings(errorsOf(findings))
  const lines = errors.map(formatFinding)
  const [only] = lines
  if (only === undefined) {
    return
  }
  const message = lines.length === 1 ? shortened(only) : [headline, ...someOf(lines, maxListed)].join('\n')
  throw new InvalidPackageError(message, errors)
}

/** Counts what hostile input could make endless. */
export interface Budget {
  /** The work left. */
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
