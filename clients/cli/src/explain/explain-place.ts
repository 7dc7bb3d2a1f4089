import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import { existingDirectory } from '../render/existing-directory.ts'
import { openRepository } from '../render/git-repository.ts'
import { nearestRepository } from '../render/nearest-repository.ts'
import { type OpenedSource, openDirectorySource } from '../render/render-directory.ts'
import { keptInClone } from '../tools/clone-versions.ts'
import { withTrialValues } from '../render/render-values.ts'
import type { ValueFlags } from '../parameters/value-flags.ts'

/** The repository and source to explain. */
interface SourcePlace {
  /** Directory in the repository, or on this machine. */
  place: string
  /** Directory or URL; default: the repository around the place, else around the current directory. */
  repo: string | undefined
  /** Default: the working copy of a directory, HEAD of a URL. */
  revision: string | undefined
  applicationName: string
  destinationNamespace: string
  /** Values to try out. */
  values: ValueFlags
  /** Takes what the user should know of the working tree. */
  warn: (message: string) => void
}

/**
 * Opens a source of a working copy or of a commit; what was cloned for it goes away with the object.
 * @throws CommandFailure when there is no such directory, repository or commit; InvalidInputError for a URL that is none
 */
export async function openSource(
  wanted: SourcePlace,
  signal: AbortSignal,
): Promise<OpenedSource & AsyncDisposable> {
  const { repo, revision, place } = wanted
  const isUrl = repo !== undefined && !existsSync(repo)
  const root = isUrl ? undefined : await rootDirectory(place, repo)
  const path = root === undefined ? place : await pathIn(root, place, repo !== undefined)
  if (root !== undefined && revision === undefined && !isBare(root)) {
    const opened = await openDirectorySource({
      ...wanted,
      directory: join(root, path),
      repositoryRoot: root,
      sourceOptions: {},
    })
    return { ...opened, [Symbol.asyncDispose]: () => Promise.resolve() }
  }
  return openCommitSource(wanted, root ?? repo ?? '.', path, signal)
}

async function openCommitSource(
  { revision = 'HEAD', applicationName, destinationNamespace, values }: SourcePlace,
  location: string,
  path: string,
  signal: AbortSignal,
): Promise<OpenedSource & AsyncDisposable> {
  await using owned = new AsyncDisposableStack()
  const repository = owned.use(await openRepository(location, signal))
  const tree = await repository.openCommit(revision)
  const source: RenderSource = {
    path,
    options: {},
    destinationNamespace,
    applicationName,
    instance: { name: applicationName, project: 'default' },
    repoUrl: repository.location,
    targetRevision: revision,
    manifestGeneratePaths: '',
  }
  const tried = await withTrialValues(tree, source, values)
  const moved = owned.move()
  return {
    tree,
    source: tried,
    revision: tree.sha,
    keptVersions: (branch) => keptInClone(repository, branch),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

async function rootDirectory(place: string, repo: string | undefined): Promise<string> {
  if (repo !== undefined) return existingDirectory(repo)
  return nearestRepository(await existingDirectory(existsSync(place) ? place : '.'))
}

/** A place of the repository comes first; then one of this machine that lies in it. */
async function pathIn(root: string, place: string, isRepositoryNamed: boolean): Promise<string> {
  if (!existsSync(place) || (isRepositoryNamed && existsSync(join(root, place)))) return place
  const path = relative(root, await existingDirectory(place))
    .split(sep)
    .join('/')
  return path === '..' || path.startsWith('../') ? place : path
}

function isBare(root: string): boolean {
  return (
    !existsSync(join(root, '.git')) && existsSync(join(root, 'HEAD')) && existsSync(join(root, 'objects'))
  )
}
