import { normalizeRepositoryUrl, repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { Tool } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GroupSource, MemberGroup, ObservedGroup, ObservedSource } from '../branch-run.ts'
import { failureFrom } from '../directory-errors.ts'
import { isRequested } from './groups.ts'
import { readVerification, type VerifiedGroup } from './group-verification.ts'
import type { HeadAnnouncement } from '../../watch/announcements.ts'
import { factsOf } from '../../applications/member-facts.ts'
import type { RunContext } from '../run-context.ts'

/** The result of reading the dry repositories once. */
interface Resolved<Group> {
  /** The groups in the order that they were given. */
  groups: (Group & ObservedGroup)[]
  /** Identifies the renderers and their versions; empty when no repo-server answered. */
  renderers: string
  /** The versions of the tools among them. */
  tools: string
  /** The versions that can render, those first that do without a wish. */
  installed: readonly Tool[]
  /** Those that a run may have downloaded beside them. */
  downloadable: readonly Tool[]
  /** Heads of the branches that were asked for, by repository; a repository that did not answer is missing. */
  heads: Map<string, Map<string, string>>
}

/** The answer of a dry repository for one source of a group. */
interface Resolution extends Pick<ObservedSource, 'drySha' | 'version'>, Pick<ObservedGroup, 'unresolved'> {
  credentials: string
}

/** A source that is resolved, and the group that reads it. */
interface SourceOfGroup {
  group: MemberGroup
  source: GroupSource
  position: number
}

/** Identifies a repository as one project reaches it. */
export function repositoryKey(repoUrl: string, project: string): string {
  return `${normalizeRepositoryUrl(repoUrl)}\n${project}`
}

interface ResolveOptions {
  branches?: ReadonlyMap<string, string[]>
  announced?: readonly HeadAnnouncement[]
  probe?: boolean
}

/**
 * Finds the newest commit of each source of each group and whose signatures it needs, with one call for all revisions of a dry
 * repository; one that fails, fails its groups alone.
 * @param branches branches whose heads are wanted too, by `repositoryKey`; those of repositories that no group reads are left out
 * @param announced commits that somebody says dry branches are at now
 * @param probe true to also ask remotes that were unreachable a moment ago
 */
export async function resolveGroups<Group extends MemberGroup>(
  context: Pick<RunContext, 'shared' | 'store'>,
  groups: readonly Group[],
  signal: AbortSignal,
  { branches = new Map(), announced = [], probe = false }: ResolveOptions = {},
): Promise<Resolved<Group>> {
  const all = groups.flatMap((group) =>
    group.sources.map((source, position): SourceOfGroup => ({ group, source, position })),
  )
  // What a range meant before is known for each branch, so charts are asked for one by one.
  const byRepository = Map.groupBy(all, ({ group, source }, index) => {
    const key = repositoryKey(source.repoUrl, group.project)
    return source.chart === '' ? key : `${key}\n${source.chart}\n${index}`
  })
  const resolved: Omit<Resolved<Group>, 'groups'> = {
    renderers: '',
    tools: '',
    installed: [],
    downloadable: [],
    heads: new Map(),
  }
  const resolutions = new Map<GroupSource, Resolution>()
  const resolveOne = async (key: string, sharing: SourceOfGroup[]): Promise<void> => {
    const [first] = sharing
    if (!first) return
    const { repoUrl } = first.source
    const { project } = first.group
    const wanted = branches.get(key) ?? []
    const identity = repositoryIdentity(repoUrl)
    // A wrong one has a branch fetched that need not be: the announced commit is not taken for its head.
    const heads = announced.filter((one) => repositoryIdentity(one.repoUrl) === identity)
    try {
      const revisions = sharing.map(({ source }) => source.targetRevision)
      const refs = { revisions, branches: wanted, announced: heads }
      const request = { repoUrl, project, ...refs, refresh: true, probe, ...chartRequest(first) }
      const answer = await context.shared.resolveRevisions(request, signal)
      const { renderers, tools, installed, downloadable } = answer
      Object.assign(resolved, { renderers, tools, installed, downloadable })
      // A repo-server of an older version knows nothing of branches.
      if (answer.heads.length === wanted.length) {
        resolved.heads.set(key, new Map(answer.heads.map(({ branch, sha }) => [branch, sha])))
      }
      for (const [index, { source }] of sharing.entries()) {
        const { sha: drySha = '', version = '', error = 'no revision' } = answer.revisions[index] ?? {}
        const { credentials } = answer
        const unresolved = drySha === '' ? { message: error, failures: [] } : undefined
        resolutions.set(source, { drySha, version, unresolved, credentials })
      }
    } catch (cause) {
      if (signal.aborted) throw cause
      for (const { source } of sharing) resolutions.set(source, unanswered(cause))
    }
  }
  const resolving = [...byRepository].map(([key, sharing]) => resolveOne(key, sharing))
  const verifying = groups.map((group) => readVerification(context.store, group))
  const [verified] = await Promise.all([Promise.all(verifying), ...resolving])
  const observed = groups.map((group, index) => ({
    ...group,
    ...observedGroup(group, verified[index], (source) => resolutions.get(source) ?? unanswered(undefined)),
  }))
  return { ...resolved, groups: observed }
}

/** A group with what its repositories answered. */
export function observedGroup(
  group: MemberGroup,
  { verifications, digest }: VerifiedGroup = { verifications: [], digest: group.digest },
  resolutionOf: (source: GroupSource) => Resolution,
): ObservedGroup {
  const answers = group.sources.map((source) => ({ source, ...resolutionOf(source) }))
  const sources = answers.map(({ source, drySha, version }, position) => ({
    ...source,
    drySha,
    version,
    verification: verifications[position],
  }))
  const [first] = sources
  return {
    ...group,
    digest,
    sources,
    drySha: first?.drySha ?? '',
    version: first?.version ?? '',
    verification: first?.verification,
    unresolved: answers.find(({ unresolved }) => unresolved)?.unresolved,
    credentials: answers
      .map(({ credentials }) => credentials)
      .join('\n')
      .trim(),
  }
}

/** Returns the fields of a request about a chart: its previous version, and whether the newest one is requested. */
function chartRequest({ group, source, position }: SourceOfGroup) {
  const { chart, targetRevision: revision } = source
  if (chart === '') return {}
  const { before, members } = group
  const known = position === 0 ? before?.success : before?.success?.others?.[position - 1]
  const { version, drySha: sha } = known ?? {}
  const { isHard } = factsOf(members)
  const held = version === undefined || sha === undefined || isHard ? [] : [{ revision, version, sha }]
  return { chart, held, moveRanges: isRequested(group) }
}

function unanswered(cause: unknown): Resolution {
  return {
    drySha: '',
    version: '',
    unresolved: failureFrom(cause),
    credentials: '',
  }
}
