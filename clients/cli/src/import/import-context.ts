import { existsSync } from 'node:fs'
import { nothingKept } from '../tools/kept-versions.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { DrySide } from '../diff/local/dry-side.ts'
import { LocalRenderer } from '../diff/local/local-renderer.ts'
import { LocalRepository } from '../diff/local/local-repository.ts'
import { SetExpansion } from '../diff/local/set-expansion.ts'
import { FoundElsewhere } from '../diff/local/sources-elsewhere.ts'
import type { LocalPlugins } from '../render/local-commands.ts'
import { cacheDirectory } from '../render/local-policy.ts'
import { nearestRepository } from '../render/nearest-repository.ts'
import { openWorkingTree } from '../render/working-tree.ts'

/** The files and programs that an import reads with. */
export interface ImportContext extends AsyncDisposable {
  /** The root of the repository, or the directory if it is in none. */
  readonly root: string
  /** The working tree as a source of Applications, and other revisions of the checkout. */
  readonly side: DrySide
  readonly renderer: LocalRenderer
  readonly elsewhere: FoundElsewhere
  readonly sets: SetExpansion
}

/**
 * Opens the repository around a directory.
 * @param repoUrl the URL by which Applications name it; empty for none
 */
export async function openImport(
  directory: string,
  repoUrl: string,
  plugins: LocalPlugins,
  session: Pick<CommandSession, 'environment' | 'signal' | 'warn'>,
): Promise<ImportContext> {
  const { environment, signal } = session
  await using owned = new AsyncDisposableStack()
  const root = nearestRepository(directory)
  const side = existsSync(`${root}/.git`)
    ? await sideOfCheckout(owned.use(await LocalRepository.open(root, signal)), repoUrl, signal)
    : await sideOfDirectory(root, repoUrl, session)
  const renderer = owned.use(await LocalRenderer.open(environment, plugins, signal))
  const elsewhere = owned.use(new FoundElsewhere(cacheDirectory(environment), environment, signal))
  const sets = owned.use(new SetExpansion())
  const kept = owned.move()
  return { root, side, renderer, elsewhere, sets, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const versions: DrySide['versions'] = { of: () => Promise.resolve(nothingKept) }

async function sideOfCheckout(
  repository: LocalRepository,
  repoUrl: string,
  signal: AbortSignal,
): Promise<DrySide> {
  const sha = await repository.workingTree()
  const own = { sha, tree: await repository.tree(sha) }
  const { simpleGit } = await import('simple-git')
  const branch = (
    await simpleGit(repository.root)
      .raw(['symbolic-ref', '--quiet', '--short', 'HEAD'])
      .catch(() => '')
  ).trim()
  const isCompared = (revision: string): boolean =>
    ['', 'HEAD', branch].includes(revision.replace(/^refs\/heads\//, ''))
  return {
    ...own,
    repoUrl,
    isCompared,
    versions,
    signal,
    treeAt: async (revision) => {
      if (isCompared(revision)) return own
      const found = await repository.resolve(revision)
      return found === undefined ? undefined : { sha: found, tree: await repository.tree(found) }
    },
  }
}

async function sideOfDirectory(
  root: string,
  repoUrl: string,
  { warn, signal }: Pick<CommandSession, 'warn' | 'signal'>,
): Promise<DrySide> {
  const own = { sha: '0'.repeat(40), tree: await openWorkingTree(root, warn) }
  return { ...own, repoUrl, isCompared: () => true, versions, signal, treeAt: () => Promise.resolve(own) }
}
