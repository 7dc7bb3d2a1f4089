import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { HandlerContext } from '@connectrpc/connect'
import { errorMessage, InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { type GroupMember, groupOf } from '@wadi/hydration/application-status.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { keptVersions } from '@wadi/hydration/held-versions.ts'
import type { HydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { GetBranchRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import type { BranchPosition } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { drySourceKey } from '@wadi/hydration/same-dry-source.ts'
import { notedDryCommit } from '../applications/noted-dry-commit.ts'
import type { GatewayContext } from '../context.ts'
import { branchOverview, readQueue } from '../summaries/branch-summary.ts'
import { readKeptTools } from '../summaries/kept-tools.ts'
import { maxPage } from '../summaries/page.ts'
import { visibleTo } from '../summaries/summary-filter.ts'
import type { IndexedApplication } from '../summaries/summary-index.ts'

const defaultCommits = 20
const maxCommits = 100

/** People wait for the answer; a repository that hangs must not keep the rest from them. */
const maxLookMs = 15_000

/** Returns a hydrated branch as far as the caller may see the Applications on it. */
export function getBranch(context: GatewayContext) {
  return async (request: GetBranchRequest, call: HandlerContext) => {
    const { repoUrl, branch, commits } = request
    if (commits < 0 || commits > maxCommits) {
      throw new InvalidInputError(
        `commits must be 1 to ${maxCommits}, or 0 for ${defaultCommits}, not ${commits}`,
      )
    }
    const key = branchKey(repoUrl, branch)
    const applications = context.summaries.onBranch(key).filter(visibleTo(context.authorization, call))
    const record = context.summaries.record(key)
    const [{ states, queueError }, { position, ...remote }] = await Promise.all([
      readQueue(context, call.signal),
      readRemote(context, applications, record, { branch, commits, signal: call.signal }),
    ])
    const overview = branchOverview(applications, record, states.get(key) ?? '')
    if (!overview)
      throw new NotFoundError(`branch ${JSON.stringify(branch)} of ${shownUrl(repoUrl)} not found`)
    return {
      branch: overview,
      applications: applications.slice(0, maxPage).map(({ summary }) => summary),
      sources: sourcesOf(applications, record, position),
      queueError,
      ...remote,
    }
  }
}

/** Returns the state of a branch from the repository; empty for one without Applications, which the caller may not see. */
async function readRemote(
  context: GatewayContext,
  applications: readonly IndexedApplication[],
  record: HydratedBranch | undefined,
  { branch, commits, signal }: { branch: string; commits: number; signal: AbortSignal },
) {
  const [first] = applications
  if (!first) return {}
  const projects = new Set(applications.map(({ summary }) => summary.project))
  const project = record?.project ?? (projects.size === 1 ? first.summary.project : '')
  const repoUrl = record?.repoUrl ?? first.summary.syncRepoUrl
  const [path = '', ...otherPaths] = applications.slice(0, maxPage).map(({ summary }) => summary.syncPath)
  const options = { signal, timeoutMs: maxLookMs }
  const { commitServer } = context
  const versions = keptVersions(record?.status)
  const kept = await readKeptTools(context, versions, signal)
  const soughtTools = Object.fromEntries(kept.map(({ name }) => [name, versions[name] ?? '']))
  try {
    const { position, foundTools } = await commitServer.getBranch(
      { repoUrl, branch, project, soughtTools },
      options,
    )
    if (!position?.headSha) return { position }
    const limit = commits || defaultCommits
    const { entries } = await commitServer.listHistory(
      { repoUrl, branch, project, path, otherPaths, limit },
      options,
    )
    const keptTools = kept.filter(({ name }) => foundTools.includes(name))
    return { position, headSha: position.headSha, commits: entries, keptTools }
  } catch (error) {
    // What is known of the branch is worth showing while its repository cannot be reached.
    signal.throwIfAborted()
    return { error: errorMessage(error) }
  }
}

/** The dry sources of Applications, in the order of the first Application of each. */
function sourcesOf(
  applications: readonly IndexedApplication[],
  record: HydratedBranch | undefined,
  position: BranchPosition | undefined,
) {
  const members = applications.flatMap(({ source }) => source.member ?? [])
  const sources = Map.groupBy(members, drySourceKey)
  return Array.from(sources.values(), ([member]) => {
    if (!member) throw new Error('a group has a member')
    const group = groupOf(member, record)
    return {
      repoUrl: shownUrl(member.repoURL),
      targetRevision: member.targetRevision,
      drySha: group?.drySha ?? '',
      hydratedDrySha: group?.success?.drySha ?? '',
      notedDrySha: position ? notedDrySha(member, position) : '',
      phase: group?.phase ?? '',
      startedAt: group?.startedAt ?? '',
      finishedAt: group?.finishedAt ?? '',
      chart: member.chart ?? '',
    }
  })
}

/** The dry commit that the head's note names for a source; a note of one source alone lists none. */
function notedDrySha(member: GroupMember, position: BranchPosition): string {
  if (position.noteId === '') return ''
  return position.dryCommits.length === 0 ? position.drySha : (notedDryCommit(position, member) ?? '')
}
