import { hydratedSpecOf } from '@wadi/hydration/application-status.ts'
import type { GroupStatus } from '@wadi/hydration/hydrated-branch.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import { until } from '@wadi/testing/until.ts'
import type { GatewayContext } from '../context.ts'
import { branchRecord, sampleApplication, storeWithStatus } from '../gateway-fixture.ts'
import type { Summary } from './application-summary.ts'

/** An Application of a project on a branch, which was hydrated under its spec. */
export function hydratedApplication(name: string, project: string, branch = 'environments/prod'): Resource {
  const syncSource = { targetBranch: branch, path: name }
  const application = sampleApplication(name, { project, sourceHydrator: { syncSource } })
  const { hydrated } = parseApplication(application)
  const status = { sourceHydrator: { lastSuccessfulOperation: { sourceHydrator: hydrated } } }
  if (!hydratedSpecOf(status)) throw new Error('the status has no spec')
  return { ...application, status }
}

/** The record of an Application's branch, whose one group is changed. */
export function recordWith(application: Resource, group: Partial<GroupStatus> = {}): Resource {
  const record = branchRecord(application, 'd'.repeat(40))
  const [first] = (record.status?.['groups'] ?? []) as GroupStatus[]
  const branch = parseApplication(application).hydrated?.syncSource.targetBranch
  return {
    ...record,
    spec: { ...record.spec, branch },
    status: { ...record.status, groups: [{ ...first, ...group }] },
  }
}

/** Stores objects with their status, and waits until the index of summaries knows the Applications among them as `isKnown` says. */
export async function storeAll(
  context: GatewayContext,
  resources: readonly Resource[],
  isKnown: (summary: Summary) => boolean = () => true,
): Promise<void> {
  for (const resource of resources) await storeWithStatus(context, resource)
  const applications = resources.filter(({ kind }) => kind === 'Application')
  await until(() =>
    applications.every((resource) => {
      const known = context.summaries.get(resourceKey(resource))
      return known !== undefined && isKnown(known.summary)
    }),
  )
}
