import { nextTurn, promisesSettled } from './next-turn.ts'
import type { Random } from './random.ts'

/** A process of the world, or what the processes talk to. */
export interface Actor {
  readonly name: string
  /** False once it was killed: what it was to do is dropped. */
  isAlive: boolean
  /** The virtual time until which it does nothing, in milliseconds. */
  frozenUntil: number
  /** The difference of its clock to that of the world, in milliseconds. */
  clockOffset: number
}

/** A thing that an actor will do. */
export interface Step {
  readonly actor: Actor
  /** The words of a story. */
  readonly label: string
  /** The virtual time from which it can be done, in milliseconds. */
  readonly due: number
  /** True for a timer: those of one actor go off in the order of their times. */
  readonly isTimer: boolean
  readonly run: () => void
}

/** The order of steps, by choices of the world. */
export interface Choices {
  /** Returns which of some possible steps is next; the one that waits longest is the first of them. */
  choose(ready: readonly Step[]): number
  /** Returns how long a message travels, in milliseconds. */
  latency(): number
}

/** Returns choices that follow from random numbers: in one world messages are fast, in another one some take seconds. */
export function randomChoices(random: Random): Choices {
  const slowness = random.of([0, 0.02, 0.1, 0.3])
  return {
    choose: ({ length }) => (length === 1 ? 0 : random.below(length)),
    latency: () => {
      if (!random.chance(slowness)) return random.below(4)
      return random.chance(0.1) ? random.below(20_000) : random.below(300)
    },
  }
}

const startOfTime = Date.UTC(2026, 0, 1)

/**
 * Decides what happens next: the world has no other time, and nothing happens but by a step. What a step leaves to promises is done
 * before the next one.
 */
export class Scheduler {
  readonly #choices: Choices
  readonly #onStep: (step: Step, now: number) => void
  #pending: Step[] = []
  readonly #firstTimers = new Map<Actor, Step>()
  #now = 0
  #current: Actor
  #steps = 0

  /** @param onStep is called after each step */
  constructor(choices: Choices, first: Actor, onStep: (step: Step, now: number) => void) {
    this.#choices = choices
    this.#current = first
    this.#onStep = onStep
  }

  /** The virtual time since the world began, in milliseconds. */
  get now(): number {
    return this.#now
  }

  /** The number of steps so far. */
  get steps(): number {
    return this.#steps
  }

  /** The actor whose step it is. */
  get current(): Actor {
    return this.#current
  }

  /** The time that the clock of the current actor shows, in milliseconds since 1970. */
  get wallClock(): number {
    return startOfTime + Math.floor(this.#now) + this.#current.clockOffset
  }

  /** Adds a step of an actor after a time, and returns it. */
  after(milliseconds: number, actor: Actor, label: string, run: () => void, isTimer = false): Step {
    const step = { actor, label, due: this.#now + milliseconds, isTimer, run }
    this.#pending.push(step)
    return step
  }

  /** Adds the arrival of a message at an actor. */
  deliver(actor: Actor, label: string, run: () => void): Step {
    return this.after(this.#choices.latency(), actor, label, run)
  }

  cancel(step: Step): void {
    const at = this.#pending.indexOf(step)
    if (at >= 0) this.#pending.splice(at, 1)
  }

  /** Kills an actor and drops all that it was to do. */
  kill(actor: Actor): void {
    actor.isAlive = false
    this.#pending = this.#pending.filter((step) => step.actor !== actor)
  }

  /** Does something as an actor, now. */
  async as(actor: Actor, run: () => void): Promise<void> {
    this.#current = actor
    run()
    await (this.#steps % 200 === 0 ? nextTurn() : promisesSettled())
  }

  /** Does the next step; false if there is none. */
  async step(): Promise<boolean> {
    const step = this.#next()
    if (!step) return false
    this.cancel(step)
    this.#steps++
    await this.as(step.actor, step.run)
    this.#onStep(step, this.#now)
    return true
  }

  #next(): Step | undefined {
    const firstTimers = this.#firstTimers
    firstTimers.clear()
    let earliest = Infinity
    for (const step of this.#pending) {
      if (!step.isTimer) earliest = Math.min(earliest, possibleAt(step))
      else if (step.due < (firstTimers.get(step.actor)?.due ?? Infinity)) firstTimers.set(step.actor, step)
    }
    for (const timer of firstTimers.values()) earliest = Math.min(earliest, possibleAt(timer))
    if (earliest === Infinity) return undefined
    const now = Math.max(this.#now, earliest)
    this.#now = now
    const ready: Step[] = []
    for (const step of this.#pending) {
      if (possibleAt(step) > now) continue
      if (!step.isTimer || firstTimers.get(step.actor) === step) ready.push(step)
    }
    return ready[this.#choices.choose(ready)]
  }
}

function possibleAt({ due, actor }: Step): number {
  return Math.max(due, actor.frozenUntil)
}
