import { storeContract } from '@wadi/resources/store/contract/store-contract-fixture.ts'
import { ModelStore, type StoreLink } from './model-store.ts'
import { StoreServer } from './store-server.ts'

for (const reads of ['server', 'followed'] as const) {
  storeContract(
    `the model of the store, read from ${reads === 'server' ? 'the server' : 'what it hears'},`,
    () => {
      const server = new StoreServer()
      const link: StoreLink = {
        ask: async (_label, ask) => ask(server),
        follow: (kind, from, receive) =>
          server.follow(kind, from, (event) => queueMicrotask(() => receive(event))),
      }
      return new ModelStore(link, { reads })
    },
  )
}
