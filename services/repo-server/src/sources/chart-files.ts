import type { ChartPool } from '@wadi/charts/chart-pool.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isArtifactUrl } from '@wadi/git/remote/chart-location.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { SourceVerification } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { PackedChart } from '@wadi/charts/chart-tree.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { LRUCache } from 'lru-cache'
import { UnverifiedCommitError } from '../revisions/require-signatures.ts'
import type { DryFiles, FilesRequest } from './dry-files.ts'

/** Bytes of unpacked charts that are held in memory. */
const maxOpenBytes = 256 * 1024 * 1024

/** The files of charts and of artifacts of registries, from the archives of their repositories. */
export function chartFiles(charts: Pick<ChartPool, 'archive' | 'identityFor'>): DryFiles {
  const trees = new LRUCache<string, PackedChart>({
    maxSize: maxOpenBytes,
    sizeCalculation: ({ bytes }) => bytes + 1,
  })
  const open = async (request: FilesRequest, signal: AbortSignal): Promise<FileTree> => {
    const { repoUrl, project, sha } = request
    const { name: chart = '', version = '' } = request.chart ?? {}
    const named = { repoUrl, project, chart }
    const key = JSON.stringify([repoUrl, chart, sha, project, await charts.identityFor(named)])
    const known = trees.get(key)
    if (known) return known.tree
    const archive = await charts.archive(named, { version, digest: sha }, signal)
    const { openArtifactTree, openChartTree } = await import('@wadi/charts/chart-tree.ts')
    const opened =
      chart === ''
        ? await openArtifactTree(archive, `artifact ${redactUrl(repoUrl)}`)
        : await openChartTree(archive, `chart ${chart} ${version}`)
    trees.set(key, opened)
    return opened.tree
  }
  return {
    async use(request, signal, task) {
      assertUnsigned(request.verification)
      const tree = await open(request, signal)
      return task({ tree, repair: async () => undefined })
    },
  }
}

/**
 * The files of git repositories, of charts and of artifacts, by what a request names.
 * @param git the files of commits
 */
export function filesOfBoth(git: DryFiles, charts: DryFiles): DryFiles {
  return {
    use: (request, signal, task) =>
      (request.chart || isArtifactUrl(request.repoUrl) ? charts : git).use(request, signal, task),
  }
}

/**
 * Policies are about the signatures of commits, and a chart has none.
 * @throws UnverifiedCommitError when a project asks for signatures, InvalidInputError for a request that does not say what is asked for
 */
function assertUnsigned(verification: SourceVerification | undefined): void {
  if (!verification)
    throw new InvalidInputError('verification is required: it says whose signatures are needed')
  const [policy] = verification.policies
  if (!policy) return
  throw new UnverifiedCommitError(
    `project ${policy.project} accepts signed commits only, and a chart is not a commit; except its repository from the policy, or vendor the chart`,
  )
}
