import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Matcher } from './matcher.ts'
import type { PatternNode } from './pattern-node.ts'

/** The places in a pattern to which the text read so far may have led. */
export interface Positions {
  /** The states that it led to; none when no longer text can match. */
  readonly states: readonly number[]
  /** True if the whole pattern matches the text so far. */
  readonly isMatch: boolean
  /** The positions that some characters lead to from here, if they are kept. */
  readonly next: Map<string, Positions> | undefined
}

/** A pattern that reads a text piece by piece, in a time that grows with both lengths alone. */
export interface Automaton {
  /** The positions before any text. */
  readonly start: Positions
  /**
   * Returns the positions after more text.
   * @param spend is called with the number of steps that it took
   */
  advance(positions: Positions, text: string, spend?: (steps: number) => void): Positions
}

/** One place in a pattern: it reads a character, or leads on without one. */
interface State {
  readonly accepts: ((character: string) => boolean) | undefined
  next: readonly number[]
}

const maxStates = 8192

/** States and transitions that are kept of one pattern. */
const maxKept = 16_384

/** Positions of more states are not kept: to find them again would take longer than to reach them. */
const maxKeptStates = 64

/** The state in which the whole pattern was read. */
const end = 0

const nowhere: Positions = { states: [], isMatch: false, next: new Map() }

/**
 * Compiles a pattern. All ways through it are followed at once and none is tried twice, so that nothing backtracks; where
 * a character led before is looked up.
 * @throws InvalidInputError when the pattern has more than 8192 states, which are its characters and alternatives.
 */
export function compileAutomaton(pattern: PatternNode): Automaton {
  const states: State[] = [{ accepts: undefined, next: [] }]
  const first = addNode(states, pattern, end)
  return new LazyAutomaton(states, first)
}

/** Finds transitions when a text needs them, and keeps them up to a bound. */
class LazyAutomaton implements Automaton {
  readonly start: Positions
  readonly #states: readonly State[]
  /** The step in which each state was reached last. */
  readonly #lastSeen: Float64Array
  readonly #known = new Map<string, Positions>()
  #step = 0
  #kept = 0

  constructor(states: readonly State[], first: number) {
    this.#states = states
    this.#lastSeen = new Float64Array(states.length)
    this.start = this.#reach((reached) => this.#visit([first], reached))
  }

  advance(positions: Positions, text: string, spend?: (steps: number) => void): Positions {
    let current = positions
    let steps = 0
    for (const character of text) {
      if (current.states.length === 0) break
      steps += current.states.length
      current = current.next?.get(character) ?? this.#follow(current, character)
    }
    spend?.(steps)
    return current
  }

  #follow(positions: Positions, character: string): Positions {
    const next = this.#reach((reached) => {
      for (const index of positions.states) {
        const state = this.#states[index]
        if (state?.accepts?.(character)) this.#visit(state.next, reached)
      }
    })
    if (positions.next && next.next && this.#kept++ < maxKept) positions.next.set(character, next)
    return next
  }

  /** The positions of the states that are visited and of what they lead to without a character. */
  #reach(visit: (reached: number[]) => void): Positions {
    this.#step++
    const reached: number[] = []
    visit(reached)
    for (const index of reached) {
      const state = this.#states[index]
      if (state && !state.accepts) this.#visit(state.next, reached)
    }
    return reached.length === 0 ? nowhere : this.#keep(reached)
  }

  #visit(indexes: readonly number[], reached: number[]): void {
    for (const index of indexes) {
      if (this.#lastSeen[index] === this.#step) continue
      this.#lastSeen[index] = this.#step
      reached.push(index)
    }
  }

  /** One object for all ways to the same states, so that their transitions are kept once. */
  #keep(reached: readonly number[]): Positions {
    const isMatch = reached.includes(end)
    if (this.#kept >= maxKept || reached.length > maxKeptStates)
      return { states: reached, isMatch, next: undefined }
    const key = reached.toSorted((a, b) => a - b).join()
    const known = this.#known.get(key)
    if (known) return known
    const positions: Positions = { states: reached, isMatch, next: new Map() }
    this.#kept += reached.length
    this.#known.set(key, positions)
    return positions
  }
}

/**
 * Compiles a pattern that has to match a whole text.
 * @throws InvalidInputError as `compileAutomaton` does.
 */
export function compileMatcher(pattern: PatternNode): Matcher {
  const automaton = compileAutomaton(pattern)
  return (text) => automaton.advance(automaton.start, text).isMatch
}

/** Adds the states of a node that lead on to the state `next`; returns the first of them. */
function addNode(states: State[], node: PatternNode, next: number): number {
  switch (node.kind) {
    case 'character':
      return addState(states, { accepts: node.accepts, next: [next] })
    case 'sequence':
      return node.parts
        .filter((part, index) => !isRepeated(part, node.parts[index - 1]))
        .reduceRight((following, part) => addNode(states, part, following), next)
    case 'choice':
      return addState(states, {
        accepts: undefined,
        next: node.options.map((option) => addNode(states, option, next)),
      })
    default: {
      const fork: State = { accepts: undefined, next: [] }
      const index = addState(states, fork)
      fork.next = [addNode(states, node.part, index), next]
      return index
    }
  }
}

/** True if a repetition follows an equal one, and so adds nothing. */
function isRepeated(node: PatternNode, before: PatternNode | undefined): boolean {
  return node.kind === 'repeat' && before?.kind === 'repeat' && node.part === before.part
}

function addState(states: State[], state: State): number {
  if (states.length >= maxStates) {
    throw new InvalidInputError(
      `a pattern may have ${maxStates} characters and alternatives; make it simpler`,
    )
  }
  return states.push(state) - 1
}
