import type { Step } from '../virtual/scheduler.ts'

/** Questions to a server that change nothing there. */
const reads = /: (?:list|get|recall|next retry|depth|states|fetch)\b/

/**
 * Returns true if two steps that can both be next lead to the same world in either order: those of different actors do, as a step changes
 * its own actor alone and sends messages, and so do two questions to a server that only read.
 */
export function areIndependent(one: Step, other: Step): boolean {
  if (one.actor !== other.actor) return true
  return !one.isTimer && !other.isTimer && reads.test(one.label) && reads.test(other.label)
}
