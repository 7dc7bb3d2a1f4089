import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import type { QueueServer } from './queue-server.ts'

/** Asks the server once. @throws UnavailableError if it does not answer */
type AskOnce = <Answer>(label: string, ask: (server: QueueServer) => Answer) => Promise<Answer>

/** The memory that hydrators share, as one process has it: while the server is away, the process has every claim and knows nothing. */
export function openModelMemory(ask: AskOnce): SharedMemory {
  const unlessAway = <Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> =>
    answer.catch(() => otherwise)
  return {
    claim: (name, milliseconds) =>
      unlessAway(
        ask(`claim ${name}`, (server) => server.claim(name, milliseconds)),
        0,
      ),
    hold: async (name, milliseconds) => {
      const held = `held ${name}`
      const taken = await unlessAway(
        ask(`hold ${name}`, (server) => server.claim(held, milliseconds)),
        0,
      )
      if (taken > 0) return undefined
      return {
        [Symbol.asyncDispose]: () =>
          unlessAway(
            ask(`let go of ${name}`, (server) => server.unclaim(held)),
            undefined,
          ),
      }
    },
    recall: (name) =>
      unlessAway(
        ask(`recall ${name}`, (server) => server.recall(name)),
        undefined,
      ),
    remember: (name, value) =>
      unlessAway(
        ask(`remember ${name}`, (server) => server.remember(name, value)),
        undefined,
      ),
    [Symbol.asyncDispose]: async () => undefined,
  }
}
