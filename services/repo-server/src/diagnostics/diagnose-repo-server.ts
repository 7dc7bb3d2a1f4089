import { toolFindings } from '@wadi/engines/guard/tool-findings.ts'
import { isPrefixType } from '@wadi/repositories/repository-secret.ts'
import { reachRepository } from '@wadi/repositories/repository-requests.ts'
import { tryRepositories, withoutTwins } from '@wadi/repositories/try-repositories.ts'
import type { Diagnosis, DiagnosisRequest, Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { RepoServerContext } from '../context.ts'
import { toolsNow } from '../tools/known-tools.ts'
import type { WholeCopies } from '@wadi/repositories/whole-copies.ts'

/** The parts of the context that the checks need. */
type Checked = Pick<RepoServerContext, 'repositories' | 'mirrors' | 'checkCharts' | 'tools'>

/** The things that were seen since the start. */
export interface Seen {
  /** The sources that are not rendered within the service, each with the reason. */
  readonly leftToTool: string[]
  readonly wholeCopies: WholeCopies
  /** The memory limit of the container, if it is too low. */
  readonly memory: Finding | undefined
}

/**
 * Finds a memory limit that is too low, programs that are missing or slow and repositories that are fetched whole, and tries whether repositories can be read.
 */
export async function diagnoseRepoServer(
  context: Checked,
  { leftToTool, wholeCopies, memory }: Seen,
  { remotes, repositories }: DiagnosisRequest,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const [ofTools, ofRepositories] = await Promise.all([
    toolFindings(() => toolsNow(context.tools)),
    remotes ? unreadableRepositories(context, repositories, signal) : [],
  ])
  const slow = leftToTool.map((message): Finding => ({
    severity: 'info',
    area: 'tools',
    message,
    remedy: 'none is needed: the tool gives the right result, in more time',
  }))
  return { findings: [memory ?? [], ofTools, slow, wholeCopies.findings(), ofRepositories].flat() }
}

async function unreadableRepositories(
  context: Checked,
  used: DiagnosisRequest['repositories'],
  signal: AbortSignal,
): Promise<Finding[]> {
  const stored = (await context.repositories.list()).filter(({ type }) => !isPrefixType(type))
  const secrets = new Map(stored.map((secret) => [secret.url, secret]))
  const all = withoutTwins([
    ...used,
    ...stored.map(({ url, project }) => ({ repoUrl: url, project, deployedBranches: [] })),
  ])
  return tryRepositories(
    all,
    { verb: 'read', write: false },
    async ({ repoUrl, project }, limit) => {
      const values = secrets.get(repoUrl)?.values ?? {}
      await reachRepository(context, { url: repoUrl, project, values }, limit)
      return []
    },
    signal,
  )
}
