import { suite } from 'node:test'
import type { ContractCluster } from './contract-cluster-fixture.ts'
import { objectLifecycle } from './object-lifecycle-fixture.ts'
import { watches } from './watches-fixture.ts'

/** Tests of what Wadi takes for granted of an API server, for any of them. */
export function apiContract(name: string, at: ContractCluster): void {
  suite(`the life of an object in the ${name}`, () => objectLifecycle(at))
  suite(`watches of the ${name}`, () => watches(at))
}
