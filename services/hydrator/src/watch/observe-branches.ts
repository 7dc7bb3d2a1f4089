import { type HydratedBranch, readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { settingsOfBranch } from '../left-to-argo-cd.ts'
import { type OperatorSettings, readOperatorSettings } from '../operator-settings.ts'
import type { ObservedGroup } from '../run/branch-run.ts'
import {
  type ControlPlaneVersions,
  type Destination,
  readControlPlaneVersions,
} from '../run/report/failure-inputs.ts'
import { groupsOf } from '../run/observe/groups.ts'
import { readBranch } from '../run/observe/read-branch.ts'
import { repositoryKey, resolveGroups } from '../run/observe/resolve-groups.ts'
import { factsOf } from '../applications/member-facts.ts'
import type { RunContext } from '../run/run-context.ts'

/** A hydrated branch as a poll sees it. */
export interface ObservedBranch {
  key: string
  groups: ObservedGroup[]
  /** The record; undefined before the first run. */
  record: HydratedBranch | undefined
  /** Undefined when nobody could say where the branch stands, and when no group failed and so nobody had to. */
  destination: Destination | undefined
  /** The branch's head, empty when it does not exist; undefined when nobody could say. */
  headSha: string | undefined
  settings: OperatorSettings
  renderers: string
  control: ControlPlaneVersions
}

type Seen = Pick<ObservedBranch, 'destination' | 'headSha'>

interface Target {
  key: string
  repoUrl: string
  branch: string
  project: string
}

/**
 * Looks at all hydrated branches and what feeds them with one question for each repository: the heads of hydrated branches
 * come with the dry revisions of the same repository. commit-server is asked for the rest, and for the repositories of
 * branches that failed, as its credentials may be what is wrong.
 */
export async function observeBranches(context: RunContext, signal: AbortSignal): Promise<ObservedBranch[]> {
  const [settings, control, { items }] = await Promise.all([
    readOperatorSettings(context.store, context.status.yieldsToArgoCd, context.clusterPolicies),
    readControlPlaneVersions(context.store),
    context.store.list('HydratedBranch', { namespace: controlPlaneNamespace }),
  ])
  const records = new Map(items.map((item) => [item.metadata.name, readHydratedBranch(item)]))
  const targets: Target[] = []
  for (const key of context.index.branchKeys()) {
    const members = context.index.members(key)
    const target = members[0] && hydratedBranchOf(members[0].application)
    if (!target) continue
    targets.push({ key, ...target, project: factsOf(members).commonProject })
  }
  const memberGroups = targets.flatMap(({ key }) =>
    groupsOf(context.index.members(key), records.get(key)?.status.groups ?? []).map((group) => ({
      ...group,
      key,
    })),
  )
  const failing = new Set(
    memberGroups.flatMap(({ key, before }) => (before?.phase === 'Failed' ? [key] : [])),
  )
  const byRepository = Map.groupBy(targets, ({ repoUrl, project }) => repositoryKey(repoUrl, project))
  const names = new Map<string, string[]>()
  for (const [repository, sharing] of byRepository) {
    names.set(
      repository,
      sharing.map(({ branch }) => branch),
    )
  }
  const { groups, renderers, heads } = await resolveGroups(context, memberGroups, signal, {
    branches: names,
    probe: true,
  })
  const byBranch = Map.groupBy(groups, ({ key }) => key)
  const seen = new Map<string, Seen>()
  const askForHeads = async (repository: string, sharing: Target[]): Promise<void> => {
    const known = heads.get(repository)
    const { failed = [], well = [] } = Object.groupBy(sharing, ({ key }) =>
      failing.has(key) ? 'failed' : 'well',
    )
    for (const { key, branch } of well) seen.set(key, { destination: undefined, headSha: known?.get(branch) })
    const found = await Promise.all([
      known ? [] : listHeads(context, well, signal),
      readFailed(context, failed, signal),
    ])
    for (const [key, each] of found.flat()) seen.set(key, each)
  }
  await Promise.all([...byRepository].map(([repository, sharing]) => askForHeads(repository, sharing)))
  return targets.map(({ key }) => ({
    key,
    groups: byBranch.get(key) ?? [],
    record: records.get(key),
    ...(seen.get(key) ?? { destination: undefined, headSha: undefined }),
    settings: settingsOfBranch(settings, context.index.members(key), context.status),
    renderers,
    control,
  }))
}

/** Reads branches of one repository that failed just as their next run would, so that equal failures are recognized. */
async function readFailed(
  context: RunContext,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<[string, Seen][]> {
  return Promise.all(
    targets.map(async ({ key, repoUrl, project, branch }): Promise<[string, Seen]> => {
      const { destination } = await readBranch(context, { repoUrl, project, branch, probe: true }, signal)
      return [key, { destination, headSha: destination.error === '' ? destination.headSha : undefined }]
    }),
  )
}

/** Heads of branches of a repository that is not a dry one; none when it does not answer, which a run would report. */
async function listHeads(
  { commitServer, events }: RunContext,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<[string, Seen][]> {
  const [first] = targets
  if (!first) return []
  const { repoUrl, project } = first
  const branches = targets.map(({ branch }) => branch)
  try {
    const { heads } = await commitServer.listBranchHeads({ repoUrl, project, branches }, { signal })
    return targets.map(({ key }, index) => [key, { headSha: heads[index]?.sha, destination: undefined }])
  } catch (error) {
    // The dry side of all branches is worth knowing without it.
    signal.throwIfAborted()
    events.pollFailed(error)
    return []
  }
}
