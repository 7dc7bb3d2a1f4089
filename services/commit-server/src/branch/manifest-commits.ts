import { dirname } from 'node:path/posix'
import { openCommitTree, type TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { writtenFiles } from './written-files.ts'

/** Commits that are looked at for each that is wanted: others may change YAML of their own in the directory. */
const looksPerCommit = 20

/** A commit that changed hydrated directories. */
interface ManifestCommit {
  readonly sha: string
  /** The directories, of those that were asked for. */
  readonly changedPaths: string[]
}

/**
 * The newest commits that changed the objects of hydrated directories, whichever layout each had then.
 * @param options.limit the number of commits wanted; a history in which foreign files of the directory change much more often is cut earlier
 */
export async function manifestCommits(
  mirror: Mirror,
  trees: TreeCache,
  { head, paths, limit }: { head: string; paths: readonly string[]; limit: number },
  signal: AbortSignal,
): Promise<ManifestCommit[]> {
  const files = paths.map((path) => {
    const literal = path.replaceAll(/[\\*?[\]]/gu, String.raw`\$&`)
    return `:(glob)${pathInside(literal, '*.yaml')}`
  })
  const wholeFiles = new Set(paths.map((path) => pathInside(path, hydratedFiles.manifest)))
  const flags = ['--diff-merges=first-parent', '--no-renames', '--name-only', '-z', '--format=%x01%H']
  const range = [`--max-count=${limit * looksPerCommit}`, head, '--', ...files]
  await mirror.completeHistory([head], signal, 'trees')
  const { stdout } = await mirror.raw(['log', ...flags, ...range], { signal })
  const commits: ManifestCommit[] = []
  for (const entry of stdout.toString('utf8').split('\u0001').slice(1)) {
    if (commits.length === limit) break
    const [sha = '', ...changed] = entry.split('\0').map((text) => text.trim())
    const isOne = changed.some((file) => wholeFiles.has(file))
    if (!isOne && !(await changesManifests(mirror, trees, sha, changed))) continue
    const directories = new Set(changed.filter(Boolean).map((file) => dirname(file)))
    commits.push({ sha, changedPaths: paths.filter((path) => directories.has(path || '.')) })
  }
  return commits
}

async function changesManifests(
  mirror: Mirror,
  trees: TreeCache,
  sha: string,
  changed: readonly string[],
): Promise<boolean> {
  const { parents } = await readCommitMetadata(mirror.objects, sha)
  for (const commit of [sha, ...parents.slice(0, 1)]) {
    const tree = await openCommitTree(mirror.objects, trees, commit)
    if ((await writtenFiles(tree, changed.filter(Boolean))).length > 0) return true
  }
  return false
}
