import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { openKubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import { endWithParent } from './child-program.ts'
import { cpuMs, heldBytes } from './process-cost.ts'
import type { StoreCost } from './store-cost.ts'

// Lists the Applications of the API that its arguments name (`<server> <token>`) from a store, first from the API and then from
// memory, and prints what it cost, as JSON.
endWithParent()
const [server = '', token = ''] = process.argv.slice(2)

await using client = new KubernetesClient({
  server,
  namespace: undefined,
  tls: async () => ({}),
  bearerToken: async () => token,
})
const before = heldBytes()
await using store = openKubernetesStore(client, {
  // On a busy machine many Applications take longer than a service would wait.
  syncTimeoutMs: 120_000,
  onError: (error) => {
    throw error
  },
})
const applications = (await store.list('Application')).items.length
const heldMiB = (heldBytes() - before) / 2 ** 20
const begun = cpuMs()
await store.list('Application')
const cost: StoreCost = { applications, heldMiB, listCpuMs: cpuMs() - begun }
process.stdout.write(`${JSON.stringify(cost)}\n`)
await new Promise(() => {})
