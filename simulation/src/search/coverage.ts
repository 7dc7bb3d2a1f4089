import type { Observer } from '../world/live-in-world.ts'

/** For so long after it happened a fault is taken for one that steps meet, in milliseconds. */
const metMs = 2_000

/** The pairs that worlds have shown: of a step and a fault before it, and of steps of two actors, one after the other. */
export class Coverage {
  readonly #pairs = new Set<string>()

  /** The number of pairs. */
  get size(): number {
    return this.#pairs.size
  }

  /** Returns an observer that adds the pairs of one world. */
  observer(): Observer {
    const faults = new Map<string, number>()
    let before = { actor: '', kind: '' }
    return (milliseconds, actor, text) => {
      const kind = kindOf(text)
      if (actor === 'world') {
        faults.set(kind, milliseconds + metMs)
        return
      }
      const role = actor.replace(/-\d+$/, '')
      for (const [fault, until] of faults) {
        if (until < milliseconds) faults.delete(fault)
        else this.#pairs.add(`${fault} / ${role} ${kind}`)
      }
      if (before.actor !== actor) this.#pairs.add(`${before.kind} / ${role} ${kind}`)
      before = { actor, kind: `${role} ${kind}` }
    }
  }
}

/** The words of a text that are in it in every world. */
function kindOf(text: string): string {
  const end = text.indexOf('{')
  return (end < 0 ? text : text.slice(0, end)).replaceAll(/[0-9a-f]{7,}|\d+/g, '')
}
