import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import type { CompareRevisionsRequest } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type {
  ForkBranch,
  ResolvedRevision,
  ResolveRevisionsResponse,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GroupSource } from '../run/branch-run.ts'
import type { RunContext } from '../run/run-context.ts'
import { type FedBranch, isOfRepository, type Wanted } from './compared-branches.ts'

/** The commits of a comparison; they stay, whatever is pushed meanwhile. */
export interface Comparison {
  readonly revisionSha: string
  /** The commit to compare with; undefined to compare with the branches' contents. Rejects if the repository does not answer. */
  readonly base: Promise<string> | undefined
  /** The commit that the base names, which is mostly what is compared with; empty without a base. */
  readonly baseHead: string
  /** The branch whose Applications are compared, in its short form, and its head. */
  readonly target: string
  readonly targetSha: string
  /** The renderers, the versions of the tools among them, and those that can render. */
  readonly rendering: Pick<ResolveRevisionsResponse, 'renderers' | 'tools' | 'installed' | 'downloadable'>
  /** Returns true if a source follows the target. */
  readonly followedBy: (source: GroupSource) => boolean
}

/** A branch of a fork on the host of the repository. */
export type Fork = Pick<ForkBranch, 'url' | 'branch'>

type Asked = Pick<CompareRevisionsRequest, 'repoUrl' | 'revision' | 'base' | 'target'> & {
  fork?: Fork | undefined
}

const branchRef = 'refs/heads/'

/** The code of the error for a target that no Application follows. */
export const nothingFollows = 'nothing-follows'

/**
 * Finds the commits of a comparison with one request to the dry repository, and which Applications the revision would reach.
 * @throws NotFoundError for a revision that does not exist, and when no Application follows the target
 */
export async function resolveComparison(
  { repoServer }: Pick<RunContext, 'repoServer'>,
  asked: Asked,
  { branches, isWanted }: { branches: readonly FedBranch[]; isWanted: Wanted },
  signal: AbortSignal,
): Promise<Comparison> {
  const groups = branches.flatMap((branch) => branch.groups)
  const [first] = groups
  if (!first) throw new NotFoundError(`no application has the dry repository ${asked.repoUrl}`)
  const isHere = isOfRepository(asked.repoUrl)
  const sources = groups.flatMap((group) => group.sources).filter(isHere)
  // Where Wadi connects and with which credentials, an Application says, and not who asks: one that spells it so, if there is one.
  const isSpelled = ({ repoUrl }: GroupSource): boolean =>
    normalizeRepositoryUrl(repoUrl) === normalizeRepositoryUrl(asked.repoUrl)
  const named =
    groups.find((group) => group.sources.some((source) => isHere(source) && isSpelled(source))) ?? first
  const { project } = named
  const ofNamed = named.sources.filter(isHere)
  const { repoUrl } = ofNamed.find(isSpelled) ?? ofNamed[0] ?? asked
  const followed = [...new Set(sources.map(({ targetRevision }) => targetRevision))]
  const names = [...new Set([asked.revision, asked.base, asked.target, 'HEAD', ...followed])].filter(Boolean)
  const answer = await repoServer.resolveRevisions(
    {
      repoUrl,
      project,
      revisions: names,
      refresh: true,
      atOnce: true,
      ...(asked.fork && { fork: asked.fork }),
    },
    { signal },
  )
  const resolved = new Map(answer.revisions.map((one) => [one.revision, one]))
  const revision = requireResolved(resolved, asked.revision)
  const base = asked.base === '' ? undefined : requireResolved(resolved, asked.base)
  const isFollowed = ({ ref }: ResolvedRevision): boolean =>
    ref !== '' && followed.some((name) => resolved.get(name)?.ref === ref)
  const target = targetOf(asked, resolved, { revision, base, isFollowed })
  const followedBy = (source: GroupSource): boolean =>
    isHere(source) &&
    (source.targetRevision === target.revision ||
      (target.ref !== '' && resolved.get(source.targetRevision)?.ref === target.ref))
  const shown = target.ref.startsWith(branchRef) ? target.ref.slice(branchRef.length) : target.revision
  if (!groups.some((group) => group.sources.some(followedBy) && group.members.some(isWanted))) {
    const choices = someInLine(followed, 5)
    const reason = `no application of ${asked.repoUrl} follows ${shown}; give as target one of ${choices}`
    throw new NotFoundError(reason, { code: nothingFollows })
  }
  const shared = base && sharedCommit(repoServer, { repoUrl, project }, revision.sha, base.sha, signal)
  // Whoever needs it awaits it, after other questions.
  shared?.catch(() => undefined)
  return {
    revisionSha: revision.sha,
    base: shared,
    baseHead: base?.sha ?? '',
    target: shown,
    targetSha: target.sha,
    rendering: answer,
    followedBy,
  }
}

/** Returns the branch on which the revision would land. */
function targetOf(
  asked: Asked,
  resolved: ReadonlyMap<string, ResolvedRevision>,
  found: {
    revision: ResolvedRevision
    base: ResolvedRevision | undefined
    isFollowed: (one: ResolvedRevision) => boolean
  },
): ResolvedRevision {
  const { revision, base, isFollowed } = found
  if (asked.target !== '') return requireResolved(resolved, asked.target)
  if (base && (base.ref.startsWith(branchRef) || isFollowed(base))) return base
  return isFollowed(revision) ? revision : requireResolved(resolved, 'HEAD')
}

function requireResolved(resolved: ReadonlyMap<string, ResolvedRevision>, name: string): ResolvedRevision {
  const found = resolved.get(name)
  if (found && found.sha !== '') return found
  throw new NotFoundError(found?.error || `revision ${JSON.stringify(name)} was not resolved`)
}

/** A revision that is behind its base would undo what came to the base since; it is compared from where it began. */
async function sharedCommit(
  repoServer: RunContext['repoServer'],
  repository: { repoUrl: string; project: string },
  sha: string,
  otherSha: string,
  signal: AbortSignal,
): Promise<string> {
  const found = await repoServer.findMergeBase({ ...repository, sha, otherSha }, { signal })
  return found.sha === '' ? otherSha : found.sha
}
