import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Value } from '@wadi/params/values/value.ts'

interface Extent {
  characters: number
  depth: number
}

/** Characters that objects may have, which keeps outputs that feed outputs from exploding. */
const maxCharacters = 32 * 1024 * 1024

/** Characters that the parameters of all resources together may have. */
const maxParamCharacters = 16 * 1024 * 1024

/** Values that all paths together may touch. */
const maxVisits = 3_000_000

/** Maps and lists inside one another. */
const maxLevels = 150

/** Counts what the templates of owners that are stamped together put into objects, and what their paths touch. */
export class StampBudget {
  readonly #known = new WeakMap<object, Extent>()
  readonly #place: string
  #left = maxCharacters

  #paramsLeft = maxParamCharacters
  #visits = maxVisits

  /** `place` is where the owner is written, or the directory of several, for messages. */
  constructor(place: string) {
    this.#place = place
  }

  /**
   * Pays for one use of a value.
   *
   * @throws ResourceExhaustedError when the objects become too large or too deep.
   */
  spend(value: Value): void {
    const { characters, depth } = this.#extentOf(value)
    this.spendText(characters)
    if (depth > maxLevels) {
      throw new ResourceExhaustedError(
        `${this.#place}: a value of an object may have ${maxLevels} levels of maps and lists`,
      )
    }
  }

  /**
   * Pays for a text.
   *
   * @throws ResourceExhaustedError when the objects become too large.
   */
  spendText(characters: number): void {
    this.#left -= characters
    if (this.#left >= 0) return
    throw new ResourceExhaustedError(
      `${this.#place}: what is stamped may have ${maxCharacters} characters altogether`,
    )
  }

  /**
   * Pays for the parameters of one resource.
   *
   * @throws ResourceExhaustedError when those of all resources become too large.
   */
  spendParams(params: Value): void {
    this.#paramsLeft -= this.#extentOf(params).characters
    if (this.#paramsLeft >= 0) return
    throw new ResourceExhaustedError(
      `${this.#place}: the parameters of all resources may have ${maxParamCharacters} characters altogether`,
    )
  }

  /**
   * Pays for values that a path touches.
   *
   * @throws ResourceExhaustedError when paths touch too many altogether.
   */
  visit(values: number): void {
    this.#visits -= values
    if (this.#visits >= 0) return
    throw new ResourceExhaustedError(
      `${this.#place}: paths may touch ${maxVisits} values altogether; name what they need as a parameter of its own`,
    )
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
