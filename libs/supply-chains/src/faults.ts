import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/params/located.ts'
import type { Location } from '@wadi/params/value.ts'

/** Faults that one error tells; of the rest it says only that there is more. */
export const MOST_FAULTS = 100

/** Returns `file:line`, as messages and notices name places. */
export function placeOf(at: Location): string {
  return formatLocation(at.line === undefined ? { file: at.file } : { file: at.file, line: at.line })
}

/** Gathers what is wrong, to be told at once. */
export class Faults {
  readonly #messages = new Set<string>()

  /** Notes a fault and where it is written; the same one counts once. */
  add(at: Location, message: string): void {
    if (this.#messages.size <= MOST_FAULTS) this.#messages.add(`${placeOf(at)}: ${message}`)
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0
  }

  /** @throws InvalidInputError with every fault noted so far, one a line. */
  throwAll(): void {
    if (this.isEmpty) return
    const told = Array.from(this.#messages).slice(0, MOST_FAULTS)
    throw new InvalidInputError(
      [...told, ...(this.#messages.size > told.length ? ['and more'] : [])].join('\n'),
    )
  }
}
