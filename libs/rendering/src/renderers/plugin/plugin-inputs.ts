import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FollowedPath } from '@wadi/file-trees/follow-links.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { expandGlob, isGlob } from '@wadi/file-trees/path-glob.ts'
import { parentPath, pathWithin } from '@wadi/file-trees/repository-path.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

const annotation = 'argocd.argoproj.io/manifest-generate-paths'

/** Most paths that the annotation may list. */
const maxPaths = 256

/**
 * Adds what a plugin may see of the repository: the source's directory and the paths that the annotation
 * `manifest-generate-paths` lists, or the whole repository without one. Paths are relative to the source's directory, from
 * the root with a leading `/`; `*` and `?` stay within a name, `**` crosses directories.
 * @throws InvalidInputError for a path that leaves the repository
 */
export async function addPluginInputs(
  tree: TracingTree,
  path: string,
  manifestGeneratePaths: string,
  inputs: InputCollector,
): Promise<void> {
  const listed = manifestGeneratePaths
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (listed.length > maxPaths) {
    throw new InvalidInputError(
      `the annotation ${annotation} lists ${listed.length} paths, more than ${maxPaths}; name directories`,
    )
  }
  // The root's id stands for the whole repository: to walk it for every source would take longer than to render them.
  const add = async (found: string): Promise<boolean> => {
    if (found !== '') return (await inputs.add(found)) !== undefined
    await inputs.addRepository()
    return true
  }
  await add(listed.length === 0 ? '' : path)
  for (const item of listed) {
    const resolved = pathWithin(path, item, `the annotation ${annotation}: path`)
    if (await add(resolved)) continue
    const matches = isGlob(resolved) ? await expandGlob(tree, resolved) : []
    for (const match of matches) await inputs.add(match)
    if (matches.length > 0) continue
    await tree.noteAbsence(resolved)
    inputs.warnings.push(
      `the annotation ${annotation} names "${item}", but nothing is at "${resolved}"; correct or remove it`,
    )
  }
}

/** The inputs as paths without links on the way, sorted: every link, whatever it leads to, and nothing twice. */
export function pathsWithoutLinks(inputs: readonly FollowedPath[]): string[] {
  const directories = new Set(
    inputs.filter(({ entry }) => entry.kind === 'directory').map(({ target }) => target),
  )
  const isHeld = (path: string): boolean => {
    for (let above = path; above !== '';) {
      above = parentPath(above)
      if (directories.has(above)) return true
    }
    return false
  }
  const paths = inputs.flatMap(({ target, links }) => [target, ...links.map(([link]) => link)])
  return [...new Set(paths)].filter((path) => !isHeld(path)).toSorted()
}
