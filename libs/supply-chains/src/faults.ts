import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'

/** Faults that one error tells; of the rest it says only that there is more. */
export const maxFaults = 100

/** Returns `file:line`, as messages and notices name places. */
export function placeOf(at: Location): string {
  return formatLocation(at.line === undefined ? { file: at.file } : { file: at.file, line: at.line })
}

/** One thing that is wrong, and where it is written. */
interface Fault {
  at: Location
  /** Does not begin with the place. */
  message: string
}

/** Gathers what is wrong, to be told at once, or when the object that it is about is used. */
export class Faults {
  readonly #faults = new Map<string, Fault>()

  /** Notes a fault and where it is written; the same one counts once. */
  add(at: Location, message: string): void {
    if (this.#faults.size <= maxFaults) this.#faults.set(`${placeOf(at)}: ${message}`, { at, message })
  }

  /** Notes everything that others hold. */
  addAll(others: Faults): void {
    for (const { at, message } of others.#faults.values()) this.add(at, message)
  }

  get isEmpty(): boolean {
    return this.#faults.size === 0
  }

  /** Every fault noted so far; of too many the first. */
  get all(): readonly Fault[] {
    return Array.from(this.#faults.values())
  }

  /** Every fault noted so far as `file:line: …`; of too many the first, and that there are more. */
  get lines(): readonly string[] {
    const told = Array.from(this.#faults.keys()).slice(0, maxFaults)
    return this.#faults.size > told.length ? [...told, 'and more'] : told
  }

  /** @throws InvalidInputError with every fault noted so far, one a line. */
  throwAll(): void {
    if (!this.isEmpty) throw new InvalidInputError(this.lines.join('\n'))
  }
}
