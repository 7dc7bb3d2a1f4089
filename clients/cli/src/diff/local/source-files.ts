import { DomainError, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { treeWithSources } from '@wadi/file-trees/sources-tree.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import type { DrySide } from './dry-side.ts'
import { isOfRepository, renderSourceOf } from './local-applications.ts'
import type { LocalSource } from './local-renderer.ts'

/** The files of a source, and the revision that they are. */
export interface SourceFiles {
  readonly tree: FileTree
  /** The id of a commit or, of a working copy, of its tree; of a chart its version. */
  readonly sha: string
}

/** The sources that are not in the checkout; each is fetched once in a run. */
export interface SourcesElsewhere {
  /** The files of a source at its revision now, or of a chart at its version. */
  files(source: DrySource): Promise<SourceFiles>
}

/**
 * Opens sources of an Application on one side of a comparison: those of the repository as the side has them, others as they are now.
 * @param sources all that the Application has, as each may read files of those with a `ref`
 * @param wanted the positions of those to open
 * @throws FailedPreconditionError for a source that cannot be had, with what to do
 */
export async function openSources(
  application: Application,
  sources: readonly DrySource[],
  wanted: readonly number[],
  { side, elsewhere }: { side: DrySide; elsewhere: SourcesElsewhere },
): Promise<LocalSource[]> {
  const open = (position: number, source: DrySource): Promise<SourceFiles> =>
    isOfRepository(side.repoUrl, source)
      ? filesOfSide(side, source)
      : elsewhere.files(source).catch((cause: unknown) => {
          throw withSource(cause, source, fieldOf(application, position))
        })
  const beside = new Map<string, FileTree>()
  for (const [position, source] of sources.entries()) {
    if (source.ref !== undefined) beside.set(source.ref, (await open(position, source)).tree)
  }
  const kept = await side.versions.of(application)
  return Promise.all(
    wanted.map(async (position) => {
      const source = sources[position]
      if (!source) throw new Error(`an application has no source ${position}`)
      const { tree, sha } = await open(position, source)
      const field = application.hydrated?.drySources ? { field: `drySources[${position}]` } : {}
      return {
        tree: beside.size === 0 ? tree : treeWithSources(tree, beside),
        revision: sha,
        kept,
        source: { ...(await renderSourceOf(application, source)), ...field },
      }
    }),
  )
}

async function filesOfSide(side: DrySide, { targetRevision }: DrySource): Promise<SourceFiles> {
  const found = await side.treeAt(targetRevision)
  if (found) return found
  throw new FailedPreconditionError(
    `revision ${JSON.stringify(targetRevision)} of ${redactUrl(side.repoUrl)} is not in the checkout; fetch it`,
  )
}

function fieldOf({ hydrated }: Application, position: number): string {
  return hydrated?.drySources ? `drySources[${position}]` : 'drySource'
}

function withSource(cause: unknown, { chart, repoURL }: DrySource, field: string): unknown {
  if (!(cause instanceof DomainError) || cause.name === 'CanceledError') return cause
  const what = chart === undefined ? redactUrl(repoURL) : `chart ${chart} of ${redactUrl(repoURL)}`
  return new FailedPreconditionError(`${field}, ${what}, cannot be read on this machine: ${cause.message}`, {
    cause,
  })
}
