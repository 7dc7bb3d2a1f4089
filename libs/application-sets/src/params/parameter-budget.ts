import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { inPath } from '@wadi/errors/with-context.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ParameterSet } from './parameter-set.ts'

/** The most parameters that the generators of one call may make. */
export interface ParameterLimits {
  /** Parameter sets of one generator, inner ones of matrix and merge too. */
  sets: number
  /** Characters of all parameter sets and of the files that they come from. */
  size: number
  /** Runs of generators: the later ones of a matrix run once for each row. */
  runs: number
}

/** The limits of the service. */
export const parameterLimits: ParameterLimits = { sets: 10_000, size: 64 * 1024 * 1024, runs: 20_000 }

/** Counts what the generators of one call make. */
export class ParameterBudget {
  readonly #limits: ParameterLimits
  #size = 0
  #runs = 0

  constructor(limits: ParameterLimits) {
    this.#limits = limits
  }

  /** Adds a set to those of one generator. */
  add(sets: ParameterSet[], set: ParameterSet): void {
    if (sets.length >= this.#limits.sets) {
      throw exhausted(
        set.origin,
        `a generator makes more than ${this.#limits.sets} parameter sets; narrow it down`,
      )
    }
    this.spend(sizeOf(set.values), set.origin)
    sets.push(set)
  }

  /** Refuses a combination of generators before it is made. */
  require(rows: number, cells: number): void {
    if (rows * cells <= this.#limits.sets) return
    throw new ResourceExhaustedError(
      `a generator makes ${rows} × ${cells} parameter sets, more than ${this.#limits.sets}; narrow it down`,
    )
  }

  /** Counts characters that are kept. */
  spend(size: number, origin: string): void {
    this.#size += size
    if (this.#size <= this.#limits.size) return
    throw exhausted(
      origin,
      `the parameters have more than ${this.#limits.size} bytes together; narrow the generators down`,
    )
  }

  /** Counts the run of a generator. */
  run(path: string): void {
    this.#runs += 1
    if (this.#runs <= this.#limits.runs) return
    throw exhausted(
      path,
      `the generators run more than ${this.#limits.runs} times; narrow down what stands before it`,
    )
  }
}

function exhausted(path: string, reason: string): ResourceExhaustedError {
  return inPath(path, new ResourceExhaustedError(reason))
}

const sizeOfNode = 8

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + sizeOfNode
  if (Array.isArray(value)) {
    return value.reduce((size: number, item: unknown) => size + sizeOf(item), sizeOfNode)
  }
  if (!isJsonObject(value)) return sizeOfNode
  return Object.entries(value).reduce((size, [key, item]) => size + key.length + sizeOf(item), sizeOfNode)
}
