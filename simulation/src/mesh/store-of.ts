import { ModelStore, type StoreLink } from '../models/store/model-store.ts'
import type { Actor } from '../virtual/scheduler.ts'
import type { Beyond, Surroundings } from './mesh.ts'

/** Returns the store as a process has it. */
export function storeOf(
  actor: Actor,
  {
    scheduler,
    network,
    reads,
    beyond,
  }: Pick<Surroundings, 'scheduler' | 'network' | 'reads'> & {
    readonly beyond: Pick<Beyond, 'store'> & { readonly actors: Pick<Beyond['actors'], 'store'> }
  },
): ModelStore {
  const follow: StoreLink['follow'] = (kind, from, receive) => {
    const waiting: Parameters<typeof receive>[0][] = []
    const arriveNext = (): void => {
      scheduler.deliver(actor, `hears of a ${kind}`, () => {
        const event = waiting.shift()
        if (event) receive(event)
        if (waiting.length > 0) arriveNext()
      })
    }
    return beyond.store.follow(kind, from, (event) => {
      if (actor.isAlive && waiting.push(event) === 1) arriveNext()
    })
  }
  const askServer: StoreLink['ask'] = (label, question) =>
    network.ask([actor, beyond.actors.store], label, () => question(beyond.store))
  // A file is not behind a network: a question is answered before anybody else does something.
  const askFile: StoreLink['ask'] = (label, question) =>
    new Promise((resolve, reject) => {
      const answer = settled(() => question(beyond.store))
      scheduler.deliver(actor, label, () => answer(resolve, reject))
    })
  return new ModelStore({ ask: reads === 'server' ? askFile : askServer, follow }, { reads })
}

/** Does something and returns how it ended, for whoever waits for it. */
function settled<Value>(
  work: () => Value,
): (resolve: (value: Value) => void, reject: (error: unknown) => void) => void {
  try {
    const value = work()
    return (resolve) => resolve(value)
  } catch (error) {
    return (_resolve, reject) => reject(error)
  }
}
