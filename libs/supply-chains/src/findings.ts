import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'

/** The most findings that one error lists. */
export const maxFindings = 100

/** Returns `file:line`, as errors and warnings name places. */
export function placeOf(at: Location): string {
  return formatLocation(at.line === undefined ? { file: at.file } : { file: at.file, line: at.line })
}

/** One thing that is wrong, and where it is written. */
interface Finding {
  at: Location
  /** Does not begin with the place. */
  message: string
}

/** Collects what is wrong, to be reported at once, or when the object that it is about is used. */
export class Findings {
  readonly #findings = new Map<string, Finding>()

  /** Adds a finding and where it is written; the same one is listed once. */
  add(at: Location, message: string): void {
    if (this.#findings.size <= maxFindings) this.#findings.set(`${placeOf(at)}: ${message}`, { at, message })
  }

  /** Adds everything that others hold. */
  addAll(others: Findings): void {
    for (const { at, message } of others.#findings.values()) this.add(at, message)
  }

  get isEmpty(): boolean {
    return this.#findings.size === 0
  }

  /** Every finding so far; of too many the first. */
  get all(): readonly Finding[] {
    return Array.from(this.#findings.values())
  }

  /** Every finding so far as `file:line: …`; of too many the first, and that there are more. */
  get lines(): readonly string[] {
    const listed = Array.from(this.#findings.keys()).slice(0, maxFindings)
    return this.#findings.size > listed.length ? [...listed, 'and more'] : listed
  }

  /** @throws InvalidInputError with every finding so far, one a line. */
  throwAll(): void {
    if (!this.isEmpty) throw new InvalidInputError(this.lines.join('\n'))
  }
}
