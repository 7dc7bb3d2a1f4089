import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { Informer } from '@wadi/kubernetes/informer/informer.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { endWithParent } from './child-program.ts'
import type { InformerCost } from './informer-cost.ts'
import { cpuMs, heldBytes } from './process-cost.ts'

// Follows the Applications of the API that its arguments name (`<server> <token> <updates>`) and keeps what a hydrator needs of each.
// When it has all, it lists ConfigMaps, which says so; after so many updates it prints what it cost, as JSON.
endWithParent()
const [server = '', token = '', updates = '0'] = process.argv.slice(2)

const keep = ({ metadata: { labels, annotations }, spec }: Resource) => ({ labels, annotations, spec })

await using client = new KubernetesClient({
  server,
  namespace: undefined,
  tls: async () => ({}),
  bearerToken: async () => token,
})
const before = { held: heldBytes(), cpu: cpuMs() }
await using informer = new Informer({
  client,
  resource: { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', plural: 'applications' },
  project: keep,
  onError: (error) => {
    throw error
  },
})
await informer.synced()
const synced = cpuMs() - before.cpu
const held = heldBytes() - before.held
const updated = Promise.withResolvers<void>()
let left = Number(updates)
informer.onChange(({ type }) => {
  if (type === 'updated' && --left === 0) updated.resolve()
})
const begun = cpuMs()
await client.list({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' })
await updated.promise
const cost: InformerCost = {
  applications: informer.list().length,
  syncedCpuMs: synced,
  heldMiB: held / 2 ** 20,
  updateCpuMs: (cpuMs() - begun) / Number(updates),
}
process.stdout.write(`${JSON.stringify(cost)}\n`)
await new Promise(() => {})
