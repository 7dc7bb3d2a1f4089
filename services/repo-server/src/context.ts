import type { Protection } from '@wadi/containment/protection.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { DefaultTools, Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import type { Reuse } from '@wadi/incremental/reuse.ts'
import type { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import type { KeyPool } from '@wadi/signatures/key-pool.ts'
import type { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import type { ConnectedPlugins } from '@wadi/plugin-client/open-plugins.ts'
import type { AnnouncedHeads } from './revisions/announced-heads.ts'
import type { ChartRevisions } from './revisions/chart-revisions.ts'
import type { DryFiles, FilesRequest } from './sources/dry-files.ts'
import type { GatedRenderer } from './sources/gated-renderer.ts'
import type { SourceRenderer } from './sources/source-renderer.ts'
import type { KnownTools } from './tools/known-tools.ts'

/** The context of the RPCs of repo-server. */
export interface RepoServerContext {
  repositories: RepositoryStore
  mirrors: MirrorPool
  remoteRefs: RemoteRefsCache
  announcedHeads: AnnouncedHeads
  chartRevisions: ChartRevisions
  /** Reaches a repository of charts; throws what is wrong with it. */
  checkCharts: (repoUrl: string, project: string, signal: AbortSignal) => Promise<void>
  /** The files of sources. */
  files: DryFiles
  keys: KeyPool
  renderer: SourceRenderer
  /** The same with the gates that a request asks for. */
  gated: GatedRenderer
  /** Keeps what is known of lists of sources. */
  reuse: Reuse
  plugins: ConnectedPlugins
  /** The versions of Helm and Kustomize. */
  tools: KnownTools
  /** The containment of renderers on this machine. */
  protections: readonly Protection[]
}

/**
 * Works with a source of a revision and what decides its output.
 * @throws InvalidInputError when the request names no source
 */
export async function withInspection<T>(
  { files, renderer }: Pick<RepoServerContext, 'files' | 'renderer'>,
  request: FilesRequest & { source?: Source | undefined; defaultTools?: DefaultTools | undefined },
  signal: AbortSignal,
  task: (tree: FileTree, source: RenderSource, inspection: SourceInspection) => Promise<T>,
): Promise<T> {
  const { repoUrl, project, source: requested, defaultTools } = request
  const revision = shownRevision(request)
  if (!requested) throw new InvalidInputError('source is required')
  return files.use(request, signal, async ({ tree }) => {
    const source = renderer.readSource(repoUrl, requested)
    const { inspection } = await renderer.inspect({ tree, revision, project, source, defaultTools }, signal)
    return task(tree, source, inspection)
  })
}

/** The revision that renderers are shown: a commit's id, of a chart the version, as Argo CD has it. */
export function shownRevision({ sha, chart }: Pick<FilesRequest, 'sha' | 'chart'>): string {
  return chart ? chart.version : sha
}
