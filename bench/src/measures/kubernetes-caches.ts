import type { Resource } from '@wadi/resources/resource.ts'
import { type KubernetesApi, startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { until } from '@wadi/testing/until.ts'
import { startChildProgram } from '../child-program.ts'
import type { Effort } from '../effort.ts'
import type { InformerCost } from '../informer-cost.ts'
import { type Attempt, atMost, information, type Measurement } from '../measurement.ts'
import { watchMemory } from '../process-tree.ts'
import type { StoreCost } from '../store-cost.ts'

const standardApplications = 10_000
const standardUpdates = 1_000
const memoryBarMiB = 150
const parseBar = 4

/** Follows many Applications with an informer and with a store, each in a process of its own, from a stand-in for the Kubernetes API. */
export async function measureCaches(effort: Effort, attempt: Attempt): Promise<Measurement[]> {
  const count = effort.applications(standardApplications)
  await using api = await startKubernetesApi()
  await api.applyCrds(...crdFiles)
  for (let number = 0; number < count; number++) api.put(applicationOfArgoCd(number))
  await attempt('informer', () => measureInformer(api, count, effort.applications(standardUpdates)))
  await attempt('store', () => measureStore(api, count))
  return []
}

async function measureInformer(api: KubernetesApi, count: number, updates: number): Promise<Measurement[]> {
  const parseMs = parseCost(count)
  const cost = await followed(api, count, updates)
  assertKnown(cost, count)
  const of = `${count} Applications`
  return [
    atMost(
      `kubernetes, informer synced to parsing the same JSON, ${of}`,
      cost.syncedCpuMs / parseMs,
      '×',
      parseBar,
      `${cost.syncedCpuMs.toFixed(0)} ms to ${parseMs.toFixed(0)} ms cpu`,
    ),
    atMost(
      `kubernetes, memory of a process with an informer, ${of}`,
      cost.peakMiB,
      'MiB',
      memoryBarMiB,
      `${cost.heldMiB.toFixed(1)} MiB kept after a collection`,
    ),
    information('kubernetes, one update', cost.updateCpuMs, 'ms cpu', `${updates} updates`),
  ]
}

async function measureStore(api: KubernetesApi, count: number): Promise<Measurement[]> {
  const cost = await stored(api)
  assertKnown(cost, count)
  const of = `${count} Applications`
  return [
    information(
      `kubernetes, memory of a process with a store, ${of}`,
      cost.peakMiB,
      'MiB',
      `${cost.heldMiB.toFixed(1)} MiB kept after a collection`,
    ),
    information(`kubernetes, one list of a store, ${of}`, cost.listCpuMs, 'ms cpu', 'from memory'),
  ]
}

function assertKnown({ applications }: { readonly applications: number }, count: number): void {
  if (applications !== count) throw new Error(`${applications} Applications are known, of ${count}`)
}

async function followed(
  api: KubernetesApi,
  count: number,
  updates: number,
): Promise<InformerCost & { readonly peakMiB: number }> {
  const program = new URL('../informer-child.ts', import.meta.url)
  const starting = startChildProgram(program, [api.server, api.admission.token, String(updates)], {})
  const updating = until(() => api.requests.includes('list configmaps')).then(() => {
    for (let number = 0; number < updates; number++) {
      const { apiVersion, kind, metadata } = applicationOfArgoCd(number % count)
      api.put({ apiVersion, kind, metadata: { ...metadata, annotations: { at: `${number} again` } } })
    }
  })
  const [child] = await Promise.all([starting, updating])
  await using _ = child
  const cost: InformerCost = JSON.parse(child.firstLine)
  using memory = watchMemory(child.pid)
  return { ...cost, peakMiB: memory.peak().own / 2 ** 20 }
}

/** Lists all Applications with a store, in a process of its own. */
async function stored(api: KubernetesApi): Promise<StoreCost & { readonly peakMiB: number }> {
  const program = new URL('../store-child.ts', import.meta.url)
  await using child = await startChildProgram(program, [api.server, api.admission.token], {})
  const cost: StoreCost = JSON.parse(child.firstLine)
  using memory = watchMemory(child.pid)
  return { ...cost, peakMiB: memory.peak().own / 2 ** 20 }
}

/** Milliseconds of processor time to parse the Applications as the lines of a watch. */
function parseCost(count: number): number {
  const lines = Array.from({ length: count }, (_, number) =>
    Buffer.from(JSON.stringify({ type: 'ADDED', object: applicationOfArgoCd(number) })),
  )
  const before = process.cpuUsage()
  for (const line of lines) JSON.parse(line.toString('utf8'))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const environments = ['dev', 'test', 'prod']

/** An Application as Argo CD leaves it, with its status and what the server keeps of its managers: about 4 kB. */
function applicationOfArgoCd(number: number): Resource {
  const name = `app-${String(number).padStart(5, '0')}`
  const team = `team-${number % 40}`
  const environment = environments[number % environments.length] ?? ''
  const drySource = {
    repoURL: `https://git.example.com/${team}/deploy.git`,
    targetRevision: 'main',
    path: `apps/${name}`,
  }
  const destination = { server: 'https://kubernetes.default.svc', namespace: name }
  const fields = Array.from({ length: 30 }, (_, field) => [`f:field${field}`, {}])
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: 'argocd',
      labels: { team, environment },
      annotations: { at: '0' },
      managedFields: [
        {
          manager: 'argocd-controller',
          operation: 'Update',
          fieldsType: 'FieldsV1',
          fieldsV1: Object.fromEntries(fields),
        },
      ],
    },
    spec: {
      project: 'default',
      destination,
      sourceHydrator: {
        drySource,
        syncSource: { targetBranch: `environments/${environment}`, path: `apps/${name}` },
      },
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
    status: {
      health: { status: 'Healthy', lastTransitionTime: '2026-01-01T09:00:00Z' },
      reconciledAt: '2026-01-01T09:00:00Z',
      sync: { status: 'Synced', revision: 'f'.repeat(40), comparedTo: { destination, source: drySource } },
      resources: Array.from({ length: 12 }, (_, index) => ({
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        namespace: name,
        name: `workload-${index}`,
        status: 'Synced',
        health: { status: 'Healthy' },
      })),
      summary: {
        images: Array.from({ length: 4 }, (_, index) => `registry.example.com/${team}/image-${index}:1`),
      },
    },
  }
}
