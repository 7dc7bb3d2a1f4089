import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import type { LocalSide } from './compare-application.ts'
import type { DrySide } from './dry-side.ts'
import type { FoundApplications } from './local-applications.ts'
import type { LocalRepository } from './local-repository.ts'
import type { ServedApplications } from './served-applications.ts'

/** A side of all Applications, by `namespace/name`. */
export type Sides = ReadonlyMap<string, LocalSide>

/** Every repository of git knows it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** The dry repository at one of the compared trees; other revisions are those of the checkout. */
export function drySideAt(
  tree: CommitTree,
  repository: LocalRepository,
  side: Pick<DrySide, 'repoUrl' | 'isCompared' | 'signal'>,
): DrySide {
  const own = { sha: tree.sha, tree }
  return {
    ...side,
    ...own,
    treeAt: async (revision) => {
      if (side.isCompared(revision)) return own
      const sha = await repository.resolve(revision)
      return sha === undefined ? undefined : { sha, tree: await repository.tree(sha) }
    },
  }
}

/** The Applications with their sources at a tree. */
export function sidesAt(tree: CommitTree, { applications }: FoundApplications): Sides {
  return new Map(
    [...applications].map(([key, application]) => [
      key,
      { application, tree, revision: tree.sha, source: application.source },
    ]),
  )
}

/** What the branches hold: the dry commit that each was hydrated from shows what differs, and the server what it is. */
export async function heldSides(
  repository: LocalRepository,
  { applications }: FoundApplications,
  served: ServedApplications | undefined,
): Promise<Sides> {
  const trees = new Map<string, CommitTree | undefined>()
  const sides = new Map<string, LocalSide>()
  for (const [key, application] of applications) {
    const sha = served?.drySha(key) ?? ''
    if (!trees.has(sha)) {
      const known = sha === '' ? undefined : await repository.resolve(sha)
      trees.set(sha, known === undefined ? undefined : await repository.tree(known))
    }
    const tree = trees.get(sha) ?? (await repository.tree(emptyTree))
    const held = () => served?.held(application) ?? Promise.resolve(undefined)
    sides.set(key, { application, tree, revision: tree.sha, source: application.source, held })
  }
  return sides
}
