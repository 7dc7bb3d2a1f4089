import { storeContract } from '@wadi/resources/store/contract/store-contract-fixture.ts'
import { ModelStore, type StoreLink } from './model-store.ts'
import { StoreServer } from './store-server.ts'

storeContract('the model of the store', () => {
  const server = new StoreServer()
  const link: StoreLink = {
    ask: async (_label, ask) => ask(server),
    follow: (kind, from, receive) =>
      server.follow(kind, from, (event) => queueMicrotask(() => receive(event))),
  }
  return new ModelStore(link)
})
