import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isList } from '@wadi/params/value-tree.ts'
import { isValueMap } from '@wadi/params/value.ts'
import type { Value } from '@wadi/params/value.ts'

interface Extent {
  characters: number
  depth: number
}

/** Characters that the objects of one owner may have, which keeps outputs that feed outputs from exploding. */
const MOST_CHARACTERS = 32 * 1024 * 1024

/** Maps and lists inside one another. */
const MOST_LEVELS = 150

/** Counts what the tags of one owner's templates put into objects. */
export class StampBudget {
  readonly #known = new WeakMap<object, Extent>()
  readonly #place: string
  #left = MOST_CHARACTERS

  /** `place` is where the owner is written, for messages. */
  constructor(place: string) {
    this.#place = place
  }

  /**
   * Pays for one use of a value.
   *
   * @throws ResourceExhaustedError when the objects of an owner become too large or too deep.
   */
  spend(value: Value): void {
    const { characters, depth } = this.#extentOf(value)
    this.#left -= characters
    if (this.#left < 0) {
      throw new ResourceExhaustedError(
        `${this.#place}: the objects of an owner may have ${MOST_CHARACTERS} characters altogether`,
      )
    }
    if (depth > MOST_LEVELS) {
      throw new ResourceExhaustedError(
        `${this.#place}: a value of an object may have ${MOST_LEVELS} levels of maps and lists`,
      )
    }
  }

  #extentOf(value: Value): Extent {
    if (!isList(value) && !isValueMap(value))
      return { characters: typeof value === 'string' ? value.length + 2 : 8, depth: 0 }
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const extent: Extent = { characters: 2, depth: 0 }
    const add = (member: Value, key: number): void => {
      const { characters, depth } = this.#extentOf(member)
      extent.characters += characters + key + 1
      extent.depth = Math.max(extent.depth, depth + 1)
    }
    if (isList(value)) for (const item of value) add(item, 0)
    else for (const [key, member] of value) add(member, key.length)
    this.#known.set(value, extent)
    return extent
  }
}
