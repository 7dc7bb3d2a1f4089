import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { LocalApplication } from './local-applications.ts'
import type { Sides } from './local-sides.ts'

/** The facts that two Applications of different names share when they are one that was renamed, the surest first. */
const signs = [
  (one: LocalApplication) => [...directoryOf(one), pathsOf(one), destinationOf(one)],
  (one: LocalApplication) => [...directoryOf(one), pathsOf(one)],
  directoryOf,
  (one: LocalApplication) => [...directoryOf(one).slice(0, 2), one.sources, destinationOf(one)],
]

/**
 * Finds the Applications that have another name or namespace than before: one that is gone and a new one that alone share
 * the hydrated directory, or the branch, sources and destination.
 * @param names the `namespace/name` of those that are looked at
 * @returns the old name of each new one
 */
export function renamedApplications(
  before: Sides,
  after: Sides,
  names: readonly string[],
): Map<string, string> {
  const renamed = new Map<string, string>()
  let [gone, come] = [withoutThose(names, after), withoutThose(names, before)]
  for (const sign of signs) {
    if (gone.length === 0 || come.length === 0) return renamed
    const olds = grouped(gone, before, sign)
    for (const [key, [next, ...others]] of grouped(come, after, sign)) {
      const [old, ...more] = olds.get(key) ?? []
      if (old !== undefined && next !== undefined && others.length + more.length === 0) renamed.set(next, old)
    }
    const paired = new Set(renamed.values())
    gone = gone.filter((name) => !paired.has(name))
    come = come.filter((name) => !renamed.has(name))
  }
  return renamed
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

function withoutThose(names: readonly string[], sides: Sides): string[] {
  return names.filter((name) => !sides.has(name))
}

function grouped(
  names: readonly string[],
  sides: Sides,
  sign: (one: LocalApplication) => unknown,
): Map<string, string[]> {
  return Map.groupBy(names, (name) => {
    const side = sides.get(name)
    return side ? JSON.stringify(sign(side.application)) : name
  })
}

function directoryOf({ repoUrl, branch, path }: LocalApplication): string[] {
  return [repositoryIdentity(repoUrl), branch, path]
}

/** Where the sources are, whatever their revisions and options. */
function pathsOf({ sources }: LocalApplication): unknown {
  return sources.map(({ repoURL, chart = '', path }) => [repositoryIdentity(repoURL), chart, path])
}

function destinationOf({ application: { destination } }: LocalApplication): unknown {
  const { server, name, namespace } = destination
  return [server ?? name, namespace]
}
