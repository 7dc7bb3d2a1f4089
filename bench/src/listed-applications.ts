import { setTimeout } from 'node:timers/promises'
import type { Client } from '@connectrpc/connect'
import type { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'

const perBranch = 20
const batch = 500
const settleMs = 300_000
/** A repository that cannot be reached, so that every Application has a state, and is at rest soon. */
const nobodyListens = 'https://127.0.0.1:9/deploy.git'

/** Stores Applications for a list, `app-0` and so on, and waits until nothing happens to them any more. `half-1` is in the path of one half. */
export async function listApplications(
  applications: Client<typeof ApplicationService>,
  count: number,
): Promise<void> {
  for (let first = 0; first < count; first += batch) {
    const length = Math.min(batch, count - first)
    await applications.applyApplications({
      applications: Array.from({ length }, (_, index) => sample(first + index)),
    })
  }
  await untilAllFailed(applications, count)
}

async function untilAllFailed(applications: Client<typeof ApplicationService>, count: number): Promise<void> {
  const deadline = performance.now() + settleMs
  for (;;) {
    const { phases } = await applications.searchApplications({ limit: 1 })
    if (phases['Failed'] === count) return
    if (performance.now() > deadline) throw new Error(`not all runs have ended: ${JSON.stringify(phases)}`)
    await setTimeout(200)
  }
}

function sample(index: number) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: `app-${index}` },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: 'apps' },
      sourceHydrator: {
        drySource: {
          repoURL: nobodyListens,
          targetRevision: 'main',
          path: `half-${index % 2}/app-${index}`,
        },
        syncSource: { targetBranch: `environments/${Math.floor(index / perBranch)}`, path: `app-${index}` },
      },
    },
  }
}
