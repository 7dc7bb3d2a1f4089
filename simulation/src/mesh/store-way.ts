import type { Fate, Network } from '../virtual/network.ts'
import type { Actor, Scheduler } from '../virtual/scheduler.ts'

/** The way from processes to what keeps the objects. */
export interface StoreWay {
  readonly scheduler: Scheduler
  readonly network: Network
  readonly fate: (from: Actor, to: Actor) => Fate
  /** The actor of what keeps them. */
  readonly actor: Actor
}
