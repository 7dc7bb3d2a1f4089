import { describe } from 'node:test'
import { queueContract } from '@wadi/queue/queue-contract-fixture.ts'
import { ModelQueue, type QueueLink } from './model-queue.ts'
import { QueueServer } from './queue-server.ts'

describe('the model of the queue in Redis', () => {
  queueContract((retry) => {
    const server = new QueueServer(() => performance.now())
    const link: QueueLink = {
      ask: async (_label, ask) => ask(server),
      listen: (listener) => server.listen(() => queueMicrotask(listener)),
    }
    return new ModelQueue(link, { holdMs: 1_000, retry })
  })
})
