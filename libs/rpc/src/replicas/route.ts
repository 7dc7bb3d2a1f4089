import type { DescMessage } from '@bufbuild/protobuf'
import { createContextKey } from '@connectrpc/connect'

/** The key of the replica that should take a request, such as its repository; undefined when any may. */
export type RouteKeyOf = (message: unknown, schema: DescMessage) => string | undefined

/**
 * Sends a call to another replica than the owner of its key: 1 for the next in order, and so on. For work on one key that is
 * shared by several replicas.
 */
export const replicaRank = createContextKey(0, { description: 'replica rank' })

/** The route key of calls that are made to every replica, one at each rank. */
export const toEveryReplica: RouteKeyOf = () => 'every replica'

/** The first message of a stream and the whole stream, which may be begun again until its second message was read. */
export async function peekFirst<T>(
  messages: AsyncIterable<T>,
): Promise<{ first: T | undefined; messages: AsyncIterable<T> }> {
  const iterator = messages[Symbol.asyncIterator]()
  const first = await iterator.next()
  return {
    first: first.done === true ? undefined : first.value,
    messages: {
      async *[Symbol.asyncIterator]() {
        if (first.done === true) return
        yield first.value
        for (;;) {
          const next = await iterator.next()
          if (next.done === true) return
          yield next.value
        }
      },
    },
  }
}
