import { create } from '@bufbuild/protobuf'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/repository-url.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import {
  type BranchPosition,
  BranchPositionSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import type { BranchRun, GroupRun } from './branch-run.ts'
import type { RunContext } from './run-context.ts'
import { readVerifications } from './group-verification.ts'
import { commonProject, groupsOf, statusOf } from './groups.ts'

/**
 * Finds out what is wanted (members, settings, newest dry commits) and what is there (the branch's head, what it was
 * rendered from, the record). Undefined when the branch has no members any more.
 */
export async function observe(
  context: RunContext,
  key: string,
  signal: AbortSignal,
): Promise<BranchRun | undefined> {
  const members = context.index.members(key)
  const target = members[0] && hydratedBranchOf(members[0].application)
  if (!target) return undefined
  const { repoURL, branch } = target
  const project = commonProject(members)
  const hard = members.some((member) => member.request === 'hard')
  const [settings, record, position, resolved] = await Promise.all([
    readOperatorSettings(context.store),
    context.store.get('HydratedBranch', controlPlaneNamespace, key),
    readPosition(context, { repoUrl: repoURL, branch, project }, signal),
    resolveGroups(context, groupsOf(members), signal),
  ])
  const before = record ? readHydratedBranch(record).status.groups : []
  for (const group of resolved.groups) {
    group.before = statusOf(before, group)
    group.failure ??= position.failure
  }
  const { at } = position
  return {
    key,
    repoURL,
    branch,
    project,
    hard,
    settings,
    position: at,
    held: hard ? undefined : await context.fingerprints.read(key, at.headSha),
    groups: resolved.groups,
    renderers: resolved.renderers,
    claimed: new Set(),
    rendered: 0,
  }
}

/** Where the branch stands; a destination that cannot be read fails every group, so that their status tells why. */
async function readPosition(
  { commitServer }: RunContext,
  request: { repoUrl: string; branch: string; project: string },
  signal: AbortSignal,
): Promise<{ at: BranchPosition; failure: GroupRun['failure'] }> {
  try {
    const { position } = await commitServer.getBranch(request, { signal })
    if (!position) throw new Error('commit-server told no position')
    return { at: position, failure: undefined }
  } catch (cause) {
    if (signal.aborted) throw cause
    const failure = { message: errorMessage(cause), failures: [], cause }
    return { at: create(BranchPositionSchema), failure }
  }
}

/**
 * Sets the newest dry commit of each group, with one call for all revisions of a dry repository; one that fails, fails
 * its groups alone. Returns what identifies the renderers too.
 */
export async function resolveGroups(
  context: Pick<RunContext, 'repoServer' | 'store'>,
  groups: GroupRun[],
  signal: AbortSignal,
): Promise<{ groups: GroupRun[]; renderers: string }> {
  const byRepository = Map.groupBy(
    groups,
    (group) => `${normalizeRepositoryUrl(group.repoURL)}\n${group.project}`,
  )
  let renderers = ''
  const resolveOne = async (sharing: GroupRun[]): Promise<void> => {
    const [first] = sharing
    if (!first) return
    try {
      const revisions = sharing.map((group) => group.targetRevision)
      const { repoURL: repoUrl, project } = first
      const answer = await context.repoServer.resolveRevisions(
        { repoUrl, project, revisions, refresh: true },
        { signal },
      )
      renderers = answer.renderers
      for (const [index, group] of sharing.entries()) {
        const revision = answer.revisions[index]
        group.drySha = revision?.sha ?? ''
        if (group.drySha === '') group.failure = { message: revision?.error ?? 'no revision', failures: [] }
      }
    } catch (cause) {
      if (signal.aborted) throw cause
      const message = cause instanceof Error ? cause.message : String(cause)
      for (const group of sharing) group.failure = { message, failures: [], cause }
    }
  }
  const resolving = [...byRepository.values()].map((sharing) => resolveOne(sharing))
  await Promise.all([...resolving, readVerifications(context.store, groups)])
  return { groups, renderers }
}
