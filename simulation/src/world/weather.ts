import type { Fate } from '../virtual/network.ts'
import type { Random } from '../virtual/random.ts'
import type { Actor, Scheduler } from '../virtual/scheduler.ts'

/** The fates of the render of a directory: it is done, fails for a reason that may pass, or is left out. */
export type RenderFate = 'done' | 'failing' | 'left out'

/** The troubles of the network, such as who is parted from whom and how many messages are lost, and those of renders. */
export class Weather {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #partitions: { readonly names: readonly string[]; readonly until: number }[] = []
  #losses = { rate: 0, until: 0 }
  #spoiled = { rate: 0, until: 0 }

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler
    this.#random = random
  }

  part(one: string, other: string, milliseconds: number): void {
    this.#partitions.push({ names: [one, other], until: this.#scheduler.now + milliseconds })
  }

  lose(rate: number, milliseconds: number): void {
    this.#losses = { rate, until: this.#scheduler.now + milliseconds }
  }

  spoilRenders(rate: number, milliseconds: number): void {
    this.#spoiled = { rate, until: this.#scheduler.now + milliseconds }
  }

  /** Decides what becomes of the render of a directory. */
  readonly renderFate = (): RenderFate => {
    const { rate, until } = this.#spoiled
    if (until <= this.#scheduler.now || !this.#random.chance(rate)) return 'done'
    return this.#random.chance(0.5) ? 'failing' : 'left out'
  }

  /** Decides what becomes of a message. */
  readonly fate = (from: Actor, to: Actor): Fate => {
    const { now } = this.#scheduler
    const isParted = this.#partitions.some(
      ({ names, until }) => until > now && names.includes(from.name) && names.includes(to.name),
    )
    if (isParted) return 'lost'
    if (this.#losses.until <= now || !this.#random.chance(this.#losses.rate)) return 'arrives'
    return this.#random.chance(0.5) ? 'lost' : 'unanswered'
  }
}
