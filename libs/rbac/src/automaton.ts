import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** What a pattern consists of, whatever its syntax. */
export type PatternNode =
  /** `example` is a character that is accepted, where one is known. */
  | { kind: 'character'; accepts: (character: string) => boolean; example?: string }
  | { kind: 'sequence'; parts: readonly PatternNode[] }
  | { kind: 'choice'; options: readonly PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; least: number; most: number }
  /** A place between two characters; `undefined` stands for either end of the text. */
  | { kind: 'place'; holds: (before: string | undefined, after: string | undefined) => boolean }

/** Tells whether a text matches a pattern. */
export type Matcher = (text: string) => boolean

interface State {
  accepts: ((character: string) => boolean) | undefined
  holds: ((before: string | undefined, after: string | undefined) => boolean) | undefined
  next: readonly number[]
}

const maxStates = 4096

/**
 * Compiles a pattern to a matcher whose time grows with the lengths of pattern and text only: all ways through the
 * pattern are followed at once, none is tried twice.
 * @param anchored whether the whole text has to match instead of any part of it.
 * @throws InvalidInputError when the pattern, its repetitions written out, has more than 4096 states.
 */
export function compileAutomaton(pattern: PatternNode, anchored: boolean): Matcher {
  const states: State[] = [{ accepts: undefined, holds: undefined, next: [] }]
  const first = addNode(states, pattern, 0)
  const lastSeen = new Float64Array(states.length).fill(-1)
  let step = 0
  return (text) => {
    const characters = Array.from(text)
    let current: number[] = [first]
    for (let position = 0; ; position++) {
      step++
      const [before, after] = [characters[position - 1], characters[position]]
      if (!anchored && position > 0) current.push(first)
      // Grows while it is walked: what a state leads to without a character joins the same step.
      const reached: number[] = []
      for (const index of current) visit(index, reached)
      const following: number[] = []
      for (const index of reached) {
        const state = states[index]
        if (state === undefined) continue
        if (index === 0 && (!anchored || after === undefined)) return true
        if (state.accepts) {
          if (after !== undefined && state.accepts(after)) following.push(...state.next)
        } else if (!state.holds || state.holds(before, after)) {
          for (const next of state.next) visit(next, reached)
        }
      }
      if (after === undefined || (anchored && following.length === 0)) return false
      current = following
    }
  }

  function visit(index: number, reached: number[]): void {
    if (lastSeen[index] === step) return
    lastSeen[index] = step
    reached.push(index)
  }
}

/** Adds the states of a node that lead on to the state `next`; returns the first of them. */
function addNode(states: State[], node: PatternNode, next: number): number {
  switch (node.kind) {
    case 'character':
      return addState(states, { accepts: node.accepts, holds: undefined, next: [next] })
    case 'place':
      return addState(states, { accepts: undefined, holds: node.holds, next: [next] })
    case 'sequence':
      return node.parts.reduceRight((following, part) => addNode(states, part, following), next)
    case 'choice':
      return addFork(
        states,
        node.options.map((option) => addNode(states, option, next)),
      )
    default:
      return addRepetition(states, node, next)
  }
}

function addRepetition(
  states: State[],
  { part, least, most }: { part: PatternNode; least: number; most: number },
  next: number,
): number {
  let following = next
  if (most === Infinity) {
    const fork: State = { accepts: undefined, holds: undefined, next: [] }
    following = addState(states, fork)
    fork.next = [addNode(states, part, following), next]
  } else {
    for (let count = least; count < most; count++) {
      following = addFork(states, [addNode(states, part, following), next])
    }
  }
  for (let count = 0; count < least; count++) following = addNode(states, part, following)
  return following
}

function addFork(states: State[], next: readonly number[]): number {
  return addState(states, { accepts: undefined, holds: undefined, next })
}

function addState(states: State[], state: State): number {
  if (states.length >= maxStates) {
    throw new InvalidInputError(`a pattern may have ${maxStates} states, its repetitions written out`)
  }
  return states.push(state) - 1
}
