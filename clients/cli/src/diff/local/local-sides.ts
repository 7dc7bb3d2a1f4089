import type { PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import type { LocalSide } from './compare-application.ts'
import type { DrySide } from './dry-side.ts'
import type { FoundApplications } from './local-applications.ts'
import type { LocalRepository } from './local-repository.ts'
import type { LocalSource } from './local-renderer.ts'
import type { ServedApplications } from './served-applications.ts'
import { openSources, type SourcesElsewhere } from './source-files.ts'

/** A side of all Applications, by `namespace/name`. */
export type Sides = ReadonlyMap<string, LocalSide>

/** The parts that the sides of one comparison share. */
interface SharedParts {
  readonly repository: LocalRepository
  readonly elsewhere: SourcesElsewhere
  readonly sideAt: (tree: CommitTree) => DrySide
}

/** The dry repository at one of the compared trees; other revisions are those of the checkout. */
export function drySideAt(
  tree: CommitTree,
  repository: LocalRepository,
  side: Pick<DrySide, 'repoUrl' | 'isCompared' | 'versions' | 'signal'>,
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
export function sidesAt(tree: CommitTree, { applications }: FoundApplications, of: SharedParts): Sides {
  const side = of.sideAt(tree)
  return new Map(
    [...applications].map(([key, application]) => [
      key,
      { application, sources: sourcesAt(application, side, of) },
    ]),
  )
}

/** Returns the branches as sides: the dry commit that each was hydrated from shows whether something differs, and the server what. */
export async function heldSides(
  { applications }: FoundApplications,
  served: ServedApplications | undefined,
  of: SharedParts,
): Promise<Sides> {
  const { repository } = of
  const dry = new Map<string, Promise<DrySide>>()
  const sideOf = async (sha: string): Promise<DrySide> => {
    const known = sha === '' ? undefined : await repository.resolve(sha)
    return of.sideAt(await repository.tree(known ?? repository.emptyTree))
  }
  const sides = new Map<string, LocalSide>()
  for (const [key, application] of applications) {
    const sha = served?.drySha(key) ?? ''
    const side = await dry.getOrInsertComputed(sha, () => sideOf(sha))
    const held = () => served?.held(application) ?? Promise.resolve(undefined)
    const failure = served?.failure(key) ?? ''
    sides.set(key, { application, sources: sourcesAt(application, side, of), held, failure })
  }
  return sides
}

/** The Applications of sides. */
export function applicationsOf(sides: Sides): Map<string, PlacedApplication> {
  return new Map(Array.from(sides, ([name, { application }]) => [name, application]))
}

/** The sides under the names of now. */
export function underNewNames(before: Sides, renamed: ReadonlyMap<string, string>): Sides {
  const sides = new Map(before)
  for (const [next, old] of renamed) {
    const side = before.get(old)
    if (!side) continue
    sides.delete(old)
    sides.set(next, side)
  }
  return sides
}

function sourcesAt(
  { application, sources }: PlacedApplication,
  side: DrySide,
  { elsewhere }: Pick<SharedParts, 'elsewhere'>,
): LocalSide['sources'] {
  let opened: Promise<readonly LocalSource[]> | undefined
  return () => {
    const { hydrated } = application
    const wanted = hydrated ? renderedPositions(hydrated) : []
    return (opened ??= openSources(application, sources, wanted, { side, elsewhere }))
  }
}
