import { DomainError } from '@wadi/errors/domain-error.ts'
import { checkPush } from '@wadi/git/commit/check-push.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { isPrefixType } from '@wadi/repositories/repository-secret.ts'
import type { WholeCopies } from '@wadi/repositories/whole-copies.ts'
import { type TriedRepository, tryRepositories, withoutTwins } from '@wadi/repositories/try-repositories.ts'
import type { Diagnosis, DiagnosisRequest, Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { CommitServerContext } from '../context.ts'
import { useForge } from '../forges/use-forge.ts'
import { useDestination } from '../write-credentials.ts'

/** The parts of the context that the checks need. */
type Checked = Pick<CommitServerContext, 'repositories' | 'mirrors' | 'forges'>

/** Tries whether repositories may be pushed to, and whether the branches that are deployed from are protected. */
export async function diagnoseCommitServer(
  context: Checked,
  wholeCopies: WholeCopies,
  { remotes, repositories }: DiagnosisRequest,
  signal: AbortSignal,
): Promise<Diagnosis> {
  if (!remotes) return { findings: wholeCopies.findings() }
  const stored = (await context.repositories.list())
    .filter(({ type }) => !isPrefixType(type))
    .map(({ url, project }) => ({ repoUrl: url, project, deployedBranches: [] }))
  const all = withoutTwins([...repositories, ...stored])
  const findings = await tryRepositories(
    all,
    { verb: 'push to', write: true },
    async (repository, limit) => {
      await useDestination(context, repository, (mirror) => checkPush(mirror, limit))
      return unprotectedBranches(context, repository, limit)
    },
    signal,
  )
  return { findings: [...wholeCopies.findings(), ...findings] }
}

/** Finds nothing where the forge is not known or does not say it. */
async function unprotectedBranches(
  context: Checked,
  repository: TriedRepository,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { repoUrl, deployedBranches } = repository
  if (deployedBranches.length === 0) return []
  const opened = await useForge(context, repository, signal).catch(orNothing)
  const isProtected = opened?.forge.isProtected
  if (isProtected === undefined) return []
  const findings = await Promise.all(
    deployedBranches.map(async (branch): Promise<Finding[]> => {
      if ((await isProtected(branch).catch(orNothing)) !== false) return []
      return [
        {
          severity: 'warning',
          area: 'branches',
          message: `branch ${branch} of ${redactUrl(repoUrl)} is deployed from and not protected: whoever may push to the repository may change it`,
          remedy: `protect ${branch} in the settings of the repository, and let only the account of the write credentials push to it`,
        },
      ]
    }),
  )
  return findings.flat()
}

/** A forge that is unknown, away or not allowed says nothing about branches, which hydration does not need. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error
  return undefined
}
