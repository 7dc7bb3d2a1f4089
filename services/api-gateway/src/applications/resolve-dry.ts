import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { heldVersions } from '@wadi/hydration/held-versions.ts'
import { asDefaultTools } from '@wadi/hydration/tool-versions.ts'
import { sourceVerification, type Verification } from '@wadi/hydration/source-verification.ts'
import { readProjects } from '@wadi/resources/project/project-permission.ts'
import type { GatewayContext } from '../context.ts'
import type { dryRequest } from './store-application.ts'

const branchRef = 'refs/heads/'

/** A dry repository, and the chart of it that is meant. */
interface DryRepository {
  repoUrl: string
  project: string
  /** Absent for a git repository. */
  chartName?: string | undefined
}

/** A commit of another source, whose files may be read. */
interface ReferencedCommit {
  ref: string
  repoUrl: string
  sha: string
  verification: Verification
}

/** The commits and versions that the sources of an Application are rendered from. */
interface ResolvedSources extends ResolvedRevision {
  /** The commit of the first source. */
  drySha: string
  /** Absent when no source has a ref. */
  referenced?: ReferencedCommit[]
  /** The versions that its branch keeps; absent for the installation's own. */
  defaultTools?: { helm: string; kustomize: string }
}

/**
 * The commits that the sources of an Application name on their remotes now.
 * @param dryRevision the revision at which to read a source; empty for its own revision
 * @param revised position of that source; the first by default
 * @throws NotFoundError when there is none
 */
export async function resolveDry(
  context: Pick<GatewayContext, 'repoServer' | 'store' | 'summaries'>,
  dry: ReturnType<typeof dryRequest>,
  dryRevision: string,
  signal: AbortSignal,
  revised = 0,
): Promise<ResolvedSources> {
  const { repoUrl, project, chartName, targetRevision, position, references, hydratedBranch } = dry
  const revisionAt = (at: number, own: string): string =>
    at === revised && dryRevision !== '' ? dryRevision : own
  const main = { repoUrl, project, chartName }
  const resolving = references.map(async (reference): Promise<ReferencedCommit & { position: number }> => {
    const { ref, repoUrl: url } = reference
    const revision = revisionAt(reference.position, reference.targetRevision)
    const found = await resolveRevision(context, { repoUrl: url, project }, revision, signal)
    return {
      ref,
      repoUrl: url,
      position: reference.position,
      sha: found.sha,
      verification: found.verification,
    }
  })
  const [resolved, ...others] = await Promise.all([
    resolveRevision(context, main, revisionAt(position, targetRevision), signal),
    ...resolving,
  ])
  const record = context.summaries.record(hydratedBranch)
  const defaultTools = asDefaultTools(heldVersions(record?.status) ?? {})
  const referenced = others.map(({ position: _position, ...commit }) => commit)
  return {
    ...resolved,
    drySha: others.find((one) => one.position === 0)?.sha ?? resolved.sha,
    ...(referenced.length > 0 && { referenced }),
    ...(defaultTools && { defaultTools }),
  }
}

/** A commit that a revision names now. */
interface ResolvedRevision {
  /** The full id of the commit; of a chart the SHA-256 of its archive. */
  sha: string
  /** The branch that the revision names; empty for a tag, commit, version or range. */
  branch: string
  /** The signatures that the commit needs. */
  verification: Verification
  /** The chart and its version; absent for a git repository. */
  chart?: { name: string; version: string }
}

/**
 * The full id of the commit that a dry revision names on the remote now, the branch that it names, and whose signatures
 * the commit needs for the project; `branch` is empty for a tag, commit or version range.
 * @throws NotFoundError when there is none
 */
async function resolveRevision(
  { repoServer, store }: Pick<GatewayContext, 'repoServer' | 'store'>,
  { repoUrl, project, chartName: chart = '' }: DryRepository,
  revision: string,
  signal: AbortSignal,
): Promise<ResolvedRevision> {
  const ofChart = chart === '' ? {} : { chart, moveRanges: true }
  const request = { repoUrl, project, revisions: [revision], refresh: true, ...ofChart }
  const [resolved] = (await repoServer.resolveRevisions(request, { signal })).revisions
  if (!resolved || resolved.sha === '') {
    throw new NotFoundError(resolved?.error || `revision ${revision} was not resolved`)
  }
  const { sha, ref, version } = resolved
  const projects = await readProjects(store, [project])
  const verification = await sourceVerification(store, { repoUrl, projects, revision })
  return {
    sha,
    branch: ref.startsWith(branchRef) ? ref.slice(branchRef.length) : '',
    verification,
    ...(chart !== '' && { chart: { name: chart, version } }),
  }
}
