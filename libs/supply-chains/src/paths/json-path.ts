import { partOf } from '@wadi/params/values/located.ts'
import { Float, isValueMap } from '@wadi/params/values/value.ts'
import type { Located, Value } from '@wadi/params/values/value.ts'
import { isFulfilled } from './path-comparison.ts'
import { PathError } from './path-error.ts'
import { readPath } from './path-steps.ts'
import type { PathStep } from './path-steps.ts'
import type { StampBudget } from '../stamp/stamp-budget.ts'

/** The values that paths lead through. */
export interface PathSubject {
  root: Located
  /** Fields that a map has although nobody wrote them, as the typed objects of Cartographer do: what they hold. */
  unset: ReadonlyMap<Value, ReadonlyMap<string, Value>>
  /** Fields that an object should have and whose value is not known: what is thrown when a path needs one. */
  withheld: ReadonlyMap<Value, ReadonlyMap<string, PathError>>
  /** The list that stands for a map where a filter asks for one. */
  lists: ReadonlyMap<Value, Located>
}

/** Returns a subject in which every field is as it is written. */
export function plainSubject(root: Located): PathSubject {
  return { root, unset: new Map(), withheld: new Map(), lists: new Map() }
}

/** Values that one path may touch. */
const maxVisits = 100_000

/**
 * Returns the one value at the end of a path. What it touches is paid from the budget.
 *
 * @throws PathError when the path cannot be read, or leads to no value or to several.
 */
export function evaluatePath(path: string, subject: PathSubject, budget?: StampBudget): Located {
  const results = new PathWalk(subject, budget).walk([subject.root], readPath(path))
  const [result] = results
  if (results.length > 1) throw new PathError(`too many results for the query: ${path}`)
  if (result === undefined) throw new PathError(`jsonpath returned empty list: ${path}`, true)
  requireWhole(result, subject, 2)
  return result
}

/** A map with withheld fields cannot be taken as a whole; they are at most two levels below what a path can end at. */
function requireWhole(located: Located, subject: PathSubject, levels: number): void {
  if (!isValueMap(located.value)) return
  for (const finding of subject.withheld.get(located.value)?.values() ?? []) throw finding
  if (levels === 0) return
  for (const member of members(located)) requireWhole(member, subject, levels - 1)
}

function members(located: Located): Located[] {
  if (!Array.isArray(located.value) && !isValueMap(located.value)) return []
  const keys = isValueMap(located.value) ? located.value.keys() : located.value.keys().map(String)
  return Array.from(keys, (key) => memberOf(located, key)).filter((member) => member !== undefined)
}

/** A member comes from where its parent comes from, unless it says otherwise. */
function memberOf(located: Located, key: string): Located | undefined {
  const member = partOf(located, key)
  if (member === undefined || member.derivedFrom !== undefined || located.derivedFrom === undefined)
    return member
  return { ...member, derivedFrom: located.derivedFrom }
}

/** Follows steps and counts what it touches. */
class PathWalk {
  readonly #subject: PathSubject
  readonly #budget: StampBudget | undefined
  #visits = 0

  constructor(subject: PathSubject, budget: StampBudget | undefined) {
    this.#subject = subject
    this.#budget = budget
  }

  walk(from: readonly Located[], steps: readonly PathStep[]): readonly Located[] {
    let current = from
    for (const step of steps) {
      current = this.#step(current, step)
      this.#count(current.length)
    }
    return current
  }

  #count(values: number): void {
    this.#visits += values + 1
    this.#budget?.visit(values + 1)
    if (this.#visits > maxVisits) throw new PathError(`evaluate: a path may touch ${maxVisits} values`)
  }

  #step(from: readonly Located[], step: PathStep): readonly Located[] {
    switch (step.type) {
      case 'field':
        return from.flatMap((located) => this.#field(located, step.name) ?? [])
      case 'wildcard':
        return from.flatMap((located) => this.#members(located))
      case 'recursive':
        return from.flatMap((located) => this.#withDescendants(located))
      case 'slice':
        return from.flatMap((located) => sliceOf(located, step))
      case 'union':
        return step.branches.flatMap((branch) => this.walk(from, branch))
      case 'filter':
        return from.flatMap((located) => this.#filter(located, step))
      case 'literal':
        return from.map((located) => ({ value: step.value, at: located.at }))
      default:
        throw new PathError(`evaluate: failed to find results: unrecognized identifier ${step.name}`)
    }
  }

  #field(located: Located, name: string): Located | undefined {
    const { value } = located
    if (!isValueMap(value)) return undefined
    const withheld = this.#subject.withheld.get(value)?.get(name)
    if (withheld !== undefined) throw withheld
    const unset = value.has(name) ? undefined : this.#subject.unset.get(value)?.get(name)
    return unset === undefined ? memberOf(located, name) : { value: unset, at: located.at }
  }

  #members(located: Located): Located[] {
    for (const finding of this.#subject.withheld.get(located.value)?.values() ?? []) throw finding
    const found = members(located)
    this.#count(found.length)
    return found
  }

  #withDescendants(located: Located): Located[] {
    const below = this.#members(located)
    return below.length === 0 ? [] : [located, ...below.flatMap((member) => this.#withDescendants(member))]
  }

  #filter(located: Located, step: PathStep & { type: 'filter' }): Located[] {
    const list = this.#subject.lists.get(located.value) ?? located
    if (!Array.isArray(list.value)) {
      throw new PathError(
        `evaluate: failed to find results: ${typeOf(list.value)} is not array or slice and cannot be filtered`,
      )
    }
    return this.#members(list).filter((member) => {
      if (step.operator === 'exists') return this.walk([member], step.left).length > 0
      const left = this.#operand(member, step.left)
      const right = this.#operand(member, step.right)
      return left !== undefined && right !== undefined && isFulfilled(left.value, step.operator, right.value)
    })
  }

  #operand(member: Located, steps: readonly PathStep[]): Located | undefined {
    const found = this.walk([member], steps)
    if (found.length > 1)
      throw new PathError('evaluate: failed to find results: can only compare one element at a time')
    return found[0]
  }
}

function sliceOf(located: Located, step: PathStep & { type: 'slice' }): Located[] {
  const { value } = located
  if (value === null) return []
  if (!Array.isArray(value))
    throw new PathError(`evaluate: failed to find results: ${typeOf(value)} is not array or slice`)
  const length = value.length
  const fromEnd = (index: number) => (index < 0 ? index + length : index)
  const start = fromEnd(step.start ?? 0)
  const end = step.isIndex && step.end === 0 ? length : fromEnd(step.end ?? length)
  if (start === end) return []
  for (const [index, isOutside] of [
    [start, start < 0 || start >= length],
    [end - 1, end < 0 || end > length],
  ] as const) {
    if (isOutside) {
      throw new PathError(
        `evaluate: failed to find results: array index out of bounds: index ${index}, length ${length}`,
      )
    }
  }
  if (start > end) {
    throw new PathError(
      `evaluate: failed to find results: starting index ${start} is greater than ending index ${end}`,
    )
  }
  return members(located)
    .slice(start, end)
    .filter((_, index) => index % step.stride === 0)
}

function typeOf(value: Value): string {
  if (value === null) return 'null'
  if (isValueMap(value)) return 'map'
  return value instanceof Float ? 'number' : typeof value
}
