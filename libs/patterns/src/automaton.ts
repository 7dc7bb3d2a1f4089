import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Matcher } from './matcher.ts'
import type { PatternNode } from './pattern-node.ts'

/** Where in a pattern a text that was read so far may have led; empty when no longer text can match. */
export type Positions = readonly number[]

/** A pattern that reads a text piece by piece, in a time that grows with both lengths alone. */
export interface Automaton {
  /** The positions before any text. */
  readonly start: Positions
  /**
   * Returns the positions after more text.
   * @param spend is called with the number of steps that it took
   */
  advance(positions: Positions, text: string, spend?: (steps: number) => void): Positions
  /** Whether the whole pattern matches the text that led to the positions. */
  isMatch(positions: Positions): boolean
}

/** One place in a pattern: it reads a character, or leads on without one. */
interface State {
  readonly accepts: ((character: string) => boolean) | undefined
  next: readonly number[]
}

const maxStates = 8192

/** The state in which the whole pattern was read. */
const end = 0

/**
 * Compiles a pattern. All ways through it are followed at once and none is tried twice, so that nothing backtracks.
 * @throws InvalidInputError when the pattern has more than 8192 states, which are its characters and alternatives.
 */
export function compileAutomaton(pattern: PatternNode): Automaton {
  const states: State[] = [{ accepts: undefined, next: [] }]
  const first = addNode(states, pattern, end)
  const lastSeen = new Float64Array(states.length)
  let step = 0

  function visit(index: number, reached: number[]): void {
    if (lastSeen[index] === step) return
    lastSeen[index] = step
    reached.push(index)
  }

  /** Adds what the states lead to without a character. */
  function closed(reached: number[]): number[] {
    for (const index of reached) {
      const state = states[index]
      if (state && !state.accepts) for (const next of state.next) visit(next, reached)
    }
    return reached
  }

  function startPositions(): Positions {
    step++
    const reached: number[] = []
    visit(first, reached)
    return closed(reached)
  }

  return {
    start: startPositions(),
    advance(positions, text, spend) {
      let current = positions
      let steps = 0
      for (const character of text) {
        step++
        steps += current.length
        const reached: number[] = []
        for (const index of current) {
          const state = states[index]
          if (state?.accepts?.(character)) for (const next of state.next) visit(next, reached)
        }
        current = closed(reached)
        if (current.length === 0) break
      }
      spend?.(steps)
      return current
    },
    isMatch: (positions) => positions.includes(end),
  }
}

/**
 * Compiles a pattern that has to match a whole text.
 * @throws InvalidInputError as `compileAutomaton` does.
 */
export function compileMatcher(pattern: PatternNode): Matcher {
  const automaton = compileAutomaton(pattern)
  return (text) => automaton.isMatch(automaton.advance(automaton.start, text))
}

/** Adds the states of a node that lead on to the state `next`; returns the first of them. */
function addNode(states: State[], node: PatternNode, next: number): number {
  switch (node.kind) {
    case 'character':
      return addState(states, { accepts: node.accepts, next: [next] })
    case 'sequence':
      return node.parts.reduceRight((following, part) => addNode(states, part, following), next)
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

function addState(states: State[], state: State): number {
  if (states.length >= maxStates) {
    throw new InvalidInputError(
      `a pattern may have ${maxStates} characters and alternatives; make it simpler`,
    )
  }
  return states.push(state) - 1
}
