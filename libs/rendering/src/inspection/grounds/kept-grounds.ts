import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { changedPaths } from './changed-paths.ts'
import { Dependents } from './dependents.ts'

/** The facts that an inspection depends on in addition to its source and the identity of the renderers. */
export interface InspectionGrounds {
  /** Every path that was looked at, clean; what is below a directory among them counts too. */
  readonly paths: readonly string[]
  /** The keys under which renders note what they find out. */
  readonly keys: readonly string[]
  /** True if the result is different for each revision. */
  readonly onRevision: boolean
}

/** The tree and the revision in which sources are inspected. */
export interface Look {
  readonly tree: FileTree
  readonly revision: string
}

/** The grounds of many inspections by their numbers, to find those that are not valid elsewhere without asking each. */
export class KeptGrounds {
  readonly #of: (InspectionGrounds | undefined)[] = []
  readonly #dependents = new Dependents()
  readonly #each = new Set<number>()
  readonly #onRevision = new Set<number>()

  /** @param grounds undefined for an inspection that is valid nowhere else, such as an error */
  set(number: number, grounds: InspectionGrounds | undefined): void {
    for (const key of keysOf(this.#of[number])) this.#dependents.delete(key, number)
    for (const key of keysOf(grounds)) this.#dependents.add(key, number)
    change(this.#each, number, grounds === undefined)
    change(this.#onRevision, number, grounds?.onRevision === true)
    this.#of[number] = grounds
  }

  /**
   * The inspections at one revision that must be made again at another: those that read a path where the trees differ, and those
   * that depend on the revision if that is another one. Undefined for all of them, where too much differs or the earlier tree is gone.
   * @param news the keys of what renders found out since
   */
  async stale(
    before: Look,
    now: Look,
    news: readonly string[] = [],
  ): Promise<ReadonlySet<number> | undefined> {
    const paths = await changedPaths(before.tree, now.tree)
    if (!paths) return undefined
    const stale = new Set(this.#each)
    if (before.revision !== now.revision) for (const number of this.#onRevision) stale.add(number)
    for (const changed of [paths, news]) {
      for (const key of changed) for (const number of this.#dependents.of(key)) stale.add(number)
    }
    return stale
  }
}

/** The same of one inspection that does not depend on the revision: whether the trees are equal wherever it looked. */
export async function isValidAt(
  { paths }: Pick<InspectionGrounds, 'paths'>,
  before: FileTree,
  now: FileTree,
): Promise<boolean> {
  const changed = await changedPaths(before, now)
  return changed !== undefined && !paths.some((path) => changed.has(path))
}

function keysOf(grounds: InspectionGrounds | undefined): string[] {
  return grounds ? [...grounds.paths, ...grounds.keys] : []
}

function change(set: Set<number>, number: number, isMember: boolean): void {
  if (isMember) set.add(number)
  else set.delete(number)
}
