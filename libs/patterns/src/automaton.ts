import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Matcher } from './matcher.ts'
import type { PatternNode } from './pattern-node.ts'

/** Where in a pattern a text that was read so far may have led. */
export interface Positions {
  /** The states that it led to; none when no longer text can match. */
  readonly states: readonly number[]
  /** Whether the whole pattern matches the text so far. */
  readonly isMatch: boolean
  /** Where some characters lead from here, when that is kept. */
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
  const lastSeen = new Float64Array(states.length)
  const known = new Map<string, Positions>()
  let step = 0
  let kept = 0

  function visit(indexes: readonly number[], reached: number[]): void {
    for (const index of indexes) {
      if (lastSeen[index] === step) continue
      lastSeen[index] = step
      reached.push(index)
    }
  }

  /** The positions of the states and of what they lead to without a character. */
  function closed(reached: number[]): Positions {
    for (const index of reached) {
      const state = states[index]
      if (state && !state.accepts) visit(state.next, reached)
    }
    if (reached.length === 0) return nowhere
    const isMatch = reached.includes(end)
    if (kept >= maxKept || reached.length > maxKeptStates)
      return { states: reached, isMatch, next: undefined }
    const key = reached.toSorted((a, b) => a - b).join()
    const positions = known.get(key) ?? { states: reached, isMatch, next: new Map() }
    if (!known.has(key)) kept += reached.length
    known.set(key, positions)
    return positions
  }

  function follow(positions: Positions, character: string): Positions {
    step++
    const reached: number[] = []
    for (const index of positions.states) {
      const state = states[index]
      if (state?.accepts?.(character)) visit(state.next, reached)
    }
    const next = closed(reached)
    if (positions.next && next.next && kept++ < maxKept) positions.next.set(character, next)
    return next
  }

  function startPositions(): Positions {
    step++
    const reached: number[] = []
    visit([first], reached)
    return closed(reached)
  }

  return {
    start: startPositions(),
    advance(positions, text, spend) {
      let current = positions
      let steps = 0
      for (const character of text) {
        if (current.states.length === 0) break
        steps += current.states.length
        current = current.next?.get(character) ?? follow(current, character)
      }
      spend?.(steps)
      return current
    },
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

/** Whether a repetition follows another one of the same, which says the same. */
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
