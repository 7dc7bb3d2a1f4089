import { isDeepStrictEqual } from 'node:util'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { hydratedSpecOf, sourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import { withoutNulls } from '@wadi/hydration/same-spec.ts'
import type { HydratedBranchStatus } from '@wadi/hydration/hydrated-branch.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutateStatus } from '@wadi/resources/store/resource-store.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { Member } from '../../applications/application-index.ts'
import type { RunContext } from '../run-context.ts'
import type { RunInProgress } from '../run-outcome.ts'

const writesAtOnce = 8

/**
 * Writes into the status of each Application the spec that was hydrated, where that is another one, and with `operations` what the run
 * did. Only `sourceHydrator` is written, by Argo CD's schema, and nothing where only times would change.
 */
export async function reportMembers(
  context: RunContext,
  { run, outcome }: RunInProgress,
  status: HydratedBranchStatus,
): Promise<void> {
  const { repoUrl, branch, project } = run
  const record = { repoUrl, branch, project, status }
  for (const group of run.groups) {
    const isHydrated = !outcome.failures.has(group)
    if (isHydrated && outcome.resting.has(group)) continue
    const hydratedAnew = isHydrated ? factsOf(group.members).unmarked : []
    const news = context.status.operations ? group.members : hydratedAnew
    await mapWithLimit(news, writesAtOnce, async (member) => {
      const next = (current: Resource): Record<string, unknown> => {
        if (!context.status.operations) return { lastSuccessfulOperation: { sourceHydrator: member.spec } }
        const hydrated = isHydrated ? member.spec : hydratedSpecOf(current.status)
        const { currentOperation, lastSuccessfulOperation } =
          sourceHydratorStatus(member.application, hydrated, record) ?? {}
        return { currentOperation, lastSuccessfulOperation }
      }
      await reportMember(context, member, next)
    })
  }
}

async function reportMember(
  context: RunContext,
  member: Member,
  next: (current: Resource) => Record<string, unknown>,
): Promise<void> {
  await changeMember(context, member, async (namespace, name) => {
    await mutateStatus(context.store, 'Application', namespace, name, (current) => {
      const stored = current.status?.['sourceHydrator']
      const before = isJsonObject(stored) ? stored : {}
      const sourceHydrator = { ...before, ...next(current) }
      if (isDeepStrictEqual(timeless(sourceHydrator), timeless(before))) return undefined
      return { ...current, status: { ...current.status, sourceHydrator } }
    })
  })
}

/** Changes an Application unless it was deleted while the run went on. */
export async function changeMember(
  context: RunContext,
  { application: { metadata } }: Member,
  write: (namespace: string, name: string) => Promise<void>,
): Promise<void> {
  const namespace = metadata.namespace ?? controlPlaneNamespace
  if (await context.store.get('Application', namespace, metadata.name)) await write(namespace, metadata.name)
}

/** The same run again is no news, whenever it was. */
function timeless({ currentOperation, ...status }: Record<string, unknown>): unknown {
  if (!isJsonObject(currentOperation)) return withoutNulls(status)
  const { startedAt: _begun, finishedAt: _ended, ...operation } = currentOperation
  return withoutNulls({ ...status, currentOperation: operation })
}
