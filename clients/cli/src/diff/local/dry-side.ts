import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { BranchVersions } from './branch-versions.ts'

/** One side of a comparison: the files of the dry repository, and what revisions name on this side. */
export interface DrySide {
  readonly repoUrl: string
  /** The id of the commit, or of the tree of a working copy. */
  readonly sha: string
  readonly tree: FileTree
  /** Returns true for a revision that is compared. */
  readonly isCompared: (revision: string) => boolean
  /** The files of a revision: those of this side where it is compared, else as the checkout has it; undefined when it has it not. */
  readonly treeAt: (revision: string) => Promise<{ sha: string; tree: FileTree } | undefined>
  /** The versions that the hydrated branches keep. */
  readonly versions: Pick<BranchVersions, 'of'>
  readonly signal: AbortSignal
}
