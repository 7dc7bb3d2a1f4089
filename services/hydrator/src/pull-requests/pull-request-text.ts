import { createHash } from 'node:crypto'
import { markMoves } from '@wadi/changes/applications/mark-moves.ts'
import { summarize } from '@wadi/changes/applications/summary.ts'
import { markdownReport } from '@wadi/changes/report/markdown-report.ts'
import { applicationCounts } from '@wadi/changes/report/report.ts'
import { mapUnordered } from '@wadi/concurrency/map-unordered.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { by } from '@wadi/order/by-name.ts'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { CompareBranchesResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { Member } from '../applications/application-index.ts'
import { applicationChanges, compareSides } from '@wadi/changes/applications/application-changes.ts'
import type { ComparedSide } from '@wadi/changes/applications/application-changes.ts'
import { heldSides } from '../compare/directory-sides.ts'
import type { RunContext } from '../run/run-context.ts'
import type { BranchPullRequest } from './wanted-pull-request.ts'

/** Directories that are read at a time. */
const directoriesAtOnce = 5

/** Characters of all texts together; of what is beyond them only the counts are shown. */
const maxText = 4 * 1024 * 1024

/** The longest text; what the forge takes less is cut there. */
const maxBody = 60_000

/** Title and text of the pull request: what it would change in the Applications of the branch. */
export async function pullRequestText(
  context: Pick<RunContext, 'commitServer'>,
  wanted: BranchPullRequest,
  compared: Pick<CompareBranchesResponse, 'headSha' | 'baseSha' | 'changedPaths'>,
  signal: AbortSignal,
): Promise<{ title: string; body: string }> {
  const { branch, baseBranch, members } = wanted
  const changed = new Set(compared.changedPaths)
  const hashKey = createHash('sha256').update(`${compared.headSha}\n${compared.baseSha}`).digest()
  const options = { rules: [], hashKey, budget: { left: maxText } }
  const compareOne = (member: Member, each: AbortSignal) =>
    changesOf(context, { wanted, compared, member, options }, each)
  const applications: ApplicationChanges[] = []
  const differing = members.filter(({ path }) => changed.has(path))
  for await (const one of mapUnordered(differing, directoriesAtOnce, signal, compareOne)) {
    if (one.outcome !== 'unchanged') applications.push(one)
  }
  const sorted = applications.toSorted(by(({ namespace, name }) => `${namespace}/${name}`))
  markMoves(sorted)
  const summary = summarize(sorted, { applications: members.length, target: baseBranch })
  const counts = applicationCounts({ ...summary, unchanged: 0 })
  const what = counts === 'none' ? '' : `: ${counts}`
  const report = markdownReport(
    { summary, applications: sorted, before: baseBranch, after: branch },
    { maxLength: maxBody - ending.length },
  )
  return { title: `Promote ${branch} to ${baseBranch}${what}`, body: `${report.trimEnd()}\n\n${ending}` }
}

const ending =
  '---\nWadi keeps this pull request up to date and closes it when nothing is left to merge. Changes of title and text are overwritten.'

interface ComparedMember {
  readonly wanted: BranchPullRequest
  readonly compared: Pick<CompareBranchesResponse, 'headSha' | 'baseSha'>
  readonly member: Member
  readonly options: Parameters<typeof compareSides>[2]
}

async function changesOf(
  context: Pick<RunContext, 'commitServer'>,
  { wanted, compared, member, options }: ComparedMember,
  signal: AbortSignal,
): Promise<ApplicationChanges> {
  const { repoUrl, project, branch, baseBranch } = wanted
  const { path } = member
  const sideAt = (name: string, headSha: string): Promise<ComparedSide | undefined> =>
    heldSides(context, { repoUrl, project, branch: name, position: { headSha } }, [path], signal)(path)
  try {
    const before = await sideAt(baseBranch, compared.baseSha)
    const after = await sideAt(branch, compared.headSha)
    const changes = compareSides(before, after ?? { manifests: [], files: [] }, options)
    return applicationChanges(wanted, member, changes)
  } catch (error) {
    signal.throwIfAborted()
    return applicationChanges(wanted, member, { outcome: 'failed', errors: [errorMessage(error)] })
  }
}
