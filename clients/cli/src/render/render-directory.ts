import { unplaced } from '@wadi/fields/field-places.ts'
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { JsonObject } from '@bufbuild/protobuf'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { Plugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { defaultRenderers } from '@wadi/rendering/renderers/renderers.ts'
import { optionNames, parseSourceOptions } from '@wadi/rendering/source/source-options.ts'
import type { ApplicationInstance, RenderSource } from '@wadi/rendering/source/source.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { type KeptVersions, nothingKept } from '../tools/kept-versions.ts'
import { existingDirectory } from './existing-directory.ts'
import { nearestRepository } from './nearest-repository.ts'
import type { LocalRender } from './render-tree.ts'
import { withTrialValues } from './render-values.ts'
import { openWorkingTree } from './working-tree.ts'
import type { ValueFlags } from '../parameters/value-flags.ts'

/** A directory to render and what its result may depend on beside the files. */
export interface DirectoryRender {
  directory: string
  /** Default: the nearest parent with `.git`, else the directory itself. */
  repositoryRoot?: string | undefined
  /** Has the blocks `helm`, `kustomize`, `directory` and `plugin` of a `drySource`; other fields have no effect. */
  sourceOptions: JsonObject
  applicationName: string
  /** The facts that plugins may receive; default: the name above, and the project `default`. */
  instance?: ApplicationInstance
  destinationNamespace: string
  /** Default: the URL of the checkout's remote `origin`. */
  repoUrl?: string
  /** Default: the checked out branch. */
  targetRevision?: string
  /** The annotation that names what a plugin depends on; default: the whole repository. */
  manifestGeneratePaths?: string
  /** Values to try out; none by default. */
  values?: ValueFlags
  /** The versions that render what names none in git; default: those that the hydrated branches of the clone keep. */
  kept?: KeptVersions
  /** The branch whose versions these are; default: all hydrated ones. */
  branch?: string | undefined
  /** Takes what the user should know of the working tree. */
  warn: (message: string) => void
}

/** The parts that render a directory. */
interface DirectoryRenderer {
  plugins: Plugins
  signal: AbortSignal
}

/** A source in a repository's files. */
export interface OpenedSource {
  tree: FileTree
  source: RenderSource
  /** The full id of the commit; of a working copy that it was checked out from. */
  revision: string
  /** Returns the versions that a hydrated branch of the repository keeps, or that all of them do. */
  keptVersions: (branch: string | undefined, signal: AbortSignal) => Promise<KeptVersions>
}

const noCommit = '0'.repeat(40)

/**
 * Renders a directory of a working tree, changes that are not committed included.
 * @throws CommandFailure when there is no such directory below the root, else what `renderTree` throws
 */
export async function renderDirectory(request: DirectoryRender & DirectoryRenderer): Promise<LocalRender> {
  const { plugins, signal } = request
  const { tree, source, revision, keptVersions } = await openDirectorySource(request)
  const kept = request.kept ?? (await keptVersions(request.branch, signal))
  const { renderTree } = await import('./render-tree.ts')
  return renderTree(tree, source, revision, plugins, signal, kept)
}

/**
 * Opens a directory of a working tree as a source, changes that are not committed included.
 * @throws CommandFailure when there is no such directory below the root, and for values that nothing takes
 */
export async function openDirectorySource(request: DirectoryRender): Promise<OpenedSource> {
  const directory = await existingDirectory(request.directory)
  const root =
    request.repositoryRoot === undefined
      ? nearestRepository(directory)
      : await existingDirectory(request.repositoryRoot)
  const path = relative(root, directory).split(sep).join('/')
  if (path === '..' || path.startsWith('../')) {
    throw new CommandFailure(`${request.directory} is not inside the repository root ${root}`)
  }
  const checkout = await describeCheckout(root)
  const tree = await openWorkingTree(root, request.warn)
  const source = {
    path,
    options: sourceOptions(request.sourceOptions, request.directory),
    destinationNamespace: request.destinationNamespace,
    applicationName: request.applicationName,
    instance: request.instance ?? { name: request.applicationName, project: 'default' },
    repoUrl: request.repoUrl ?? checkout.repoUrl,
    targetRevision: request.targetRevision ?? checkout.branch,
    manifestGeneratePaths: request.manifestGeneratePaths ?? '',
  }
  return {
    tree,
    source: await withTrialValues(tree, source, request.values ?? {}),
    revision: checkout.sha,
    keptVersions: (branch, signal) => keptAround(root, branch, signal),
  }
}

/** A directory that git does not take for a repository is rendered all the same. */
async function keptAround(
  root: string,
  branch: string | undefined,
  signal: AbortSignal,
): Promise<KeptVersions> {
  if (branch === undefined && !existsSync(join(root, '.git'))) return nothingKept
  const { openRepository } = await import('./git-repository.ts')
  const { keptInClone } = await import('../tools/clone-versions.ts')
  const opened = openRepository(root, signal)
  if (branch === undefined && !(await opened.then(() => true).catch(() => false))) return nothingKept
  await using repository = await opened
  return await keptInClone(repository, branch)
}

/** Reads the renderer's blocks out of a `drySource`. */
export function sourceOptions(drySource: JsonObject, origin: string) {
  const names = optionNames(defaultRenderers)
  const options = Object.entries(drySource).filter(
    ([name, value]) => names.includes(name) && value !== undefined,
  )
  return parseSourceOptions(Object.fromEntries(options), unplaced(origin, 'drySource.'), defaultRenderers)
}

async function describeCheckout(root: string): Promise<{ sha: string; branch: string; repoUrl: string }> {
  if (!existsSync(join(root, '.git'))) return { sha: noCommit, branch: 'HEAD', repoUrl: '' }
  const { simpleGit } = await import('simple-git')
  const git = simpleGit(root)
  // A repository without a commit or a remote is not an error; there is nothing to report.
  const answer = async (...args: string[]) => (await git.raw(args).catch(() => '')).trim()
  const sha = await answer('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  const branch = await answer('symbolic-ref', '--quiet', '--short', 'HEAD')
  const repoUrl = await answer('config', '--get', 'remote.origin.url')
  return { sha: sha || noCommit, branch: branch || 'HEAD', repoUrl: redactUrl(repoUrl) }
}
