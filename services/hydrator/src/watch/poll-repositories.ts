import { setTimeout as delay } from 'node:timers/promises'
import { normalizeRepositoryUrl } from '@wadi/git/repository-url.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import { readOperatorSettings, settingsDigest } from '../operator-settings.ts'
import type { GroupRun } from '../run/branch-run.ts'
import type { RunContext } from '../run/run-context.ts'
import { groupsOf, isSettled, statusOf } from '../run/groups.ts'
import { resolveGroups } from '../run/observe.ts'

/**
 * Looks at every dry repository once per interval and queues the branches that are not what git and the objects ask
 * for. This is what makes every other trigger a hint: whatever got lost is found here.
 */
export async function pollRepositories(
  context: RunContext,
  queue: BranchQueue,
  intervalMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const key of await unsettledBranches(context, signal)) await queue.enqueue(key)
    } catch (error) {
      if (signal.aborted) return
      context.events.pollFailed(error)
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined)
  }
}

/** The keys of the branches with a group that is not settled, or whose dry revision cannot be told. */
async function unsettledBranches(context: RunContext, signal: AbortSignal): Promise<Set<string>> {
  const settings = await readOperatorSettings(context.store)
  const { items } = await context.store.list('HydratedBranch', { namespace: controlPlaneNamespace })
  const records = new Map(items.map((item) => [item.metadata.name, readHydratedBranch(item).status.groups]))
  const groups = new Map<GroupRun, string>()
  for (const key of context.index.branchKeys()) {
    for (const group of groupsOf(context.index.members(key))) {
      group.before = statusOf(records.get(key) ?? [], group)
      groups.set(group, key)
    }
  }
  const { renderers } = await resolveGroups(context, [...groups.keys()], signal)
  const unsettled = new Set<string>()
  for (const [group, key] of groups) {
    if (!isSettled(group, settingsDigest(settings, renderers))) unsettled.add(key)
  }
  return unsettled
}

/** The keys of the branches that are fed from a dry repository, in any spelling of its URL. */
export function branchesFedFrom(context: Pick<RunContext, 'index'>, repoURL: string): string[] {
  const wanted = normalizeRepositoryUrl(repoURL)
  return context.index
    .branchKeys()
    .filter((key) =>
      context.index
        .members(key)
        .some((member) => normalizeRepositoryUrl(member.spec.drySource.repoURL) === wanted),
    )
}
