import { suite, test } from 'node:test'
import type { ResourceStore } from '../resource-store.ts'
import { objectCases } from './object-cases-fixture.ts'
import { watchCases } from './watch-cases-fixture.ts'
import { writeCases } from './write-cases-fixture.ts'

/**
 * Tests of everything that `ResourceStore` promises, for any back end. `open` returns an empty store for each test; what
 * the tests create are Applications, AppProjects, ConfigMaps and Secrets in the namespaces a, argocd, b and other.
 */
export function storeContract(name: string, open: () => ResourceStore | Promise<ResourceStore>): void {
  suite(`${name} keeps the contract of stores`, () => {
    for (const [title, run] of Object.entries({ ...objectCases, ...writeCases, ...watchCases })) {
      test(title, async () => {
        await using store = await open()
        await run(store)
      })
    }
  })
}
