import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { someInLine, someOf } from '@wadi/errors/some-of.ts'
import { boundedJson } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** Characters of all errors that are reported; an RPC carries no more than 2,000 of a message. */
const maxErrorLength = 1_700

/** Elements that a message names of those that make one name. */
const shownOrigins = 5

/** The most that one ApplicationSet may generate. */
export interface CollectorLimits {
  applications: number
  /** All Applications together as JSON. */
  bytes: number
}

/** The Applications that one ApplicationSet generates, and everything that is wrong with them. */
export class ApplicationCollector {
  readonly applications: Resource[] = []
  /** All Applications as JSON. */
  bytes = 0
  readonly #setName: string
  readonly #limits: CollectorLimits
  readonly #errors: string[] = []
  readonly #originsByName = new Map<string, string[]>()
  #expected = 0

  constructor(setName: string, limits: CollectorLimits) {
    this.#setName = setName
    this.#limits = limits
  }

  /**
   * Makes sure that there may be so many more Applications.
   * @throws ResourceExhaustedError
   */
  expect(count: number, path: string): void {
    this.#expected += count
    if (this.#expected <= this.#limits.applications) return
    throw new ResourceExhaustedError(
      `${path}: the set generates more than ${this.#limits.applications} Applications`,
    )
  }

  /** @throws ResourceExhaustedError when the Applications so far are too large */
  add(application: Resource, origin: string): void {
    const { name } = application.metadata
    const origins = this.#originsByName.get(name) ?? []
    origins.push(origin)
    this.#originsByName.set(name, origins)
    this.bytes += Buffer.byteLength(boundedJson(application))
    if (this.bytes > this.#limits.bytes) {
      throw new ResourceExhaustedError(
        `${origin}: the Applications so far have more than ${this.#limits.bytes} bytes`,
      )
    }
    this.applications.push(application)
  }

  /** Notes what is wrong with one element. */
  addError(message: string): void {
    this.#errors.push(message)
  }

  /** @throws InvalidInputError with a line for each error, or for as many as there is room for and the number of the others */
  throwErrors(): void {
    const duplicates = [...this.#originsByName].filter(([, origins]) => origins.length > 1)
    const messages = [
      ...this.#errors,
      ...duplicates.map(([name, origins]) => this.#duplicateName(name, origins)),
    ]
    if (messages.length === 0) return
    let length = 0
    const fitting = messages.findIndex((message) => (length += message.length + 1) > maxErrorLength)
    const shown = fitting === -1 ? messages.length : Math.max(fitting, 1)
    throw new InvalidInputError(someOf(messages, shown).join('\n'))
  }

  #duplicateName(name: string, origins: readonly string[]): string {
    return (
      `ApplicationSet ${this.#setName} contains applications with duplicate name: ${name}, ` +
      `from ${someInLine(origins, shownOrigins, ' and ')}; give them different names`
    )
  }
}
