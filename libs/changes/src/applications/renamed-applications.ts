import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { PlacedApplication } from './placed-application.ts'

type Applications = ReadonlyMap<string, PlacedApplication>

/** The facts that two Applications of different names share when they are one that was renamed, the surest first. */
const signs = [
  (one: PlacedApplication) => [...directoryOf(one), pathsOf(one), destinationOf(one)],
  (one: PlacedApplication) => [...directoryOf(one), pathsOf(one)],
  directoryOf,
  (one: PlacedApplication) => [...directoryOf(one).slice(0, 2), one.sources, destinationOf(one)],
]

/**
 * Finds the Applications that have another name or namespace than before: one that is gone and a new one that alone share
 * the hydrated directory, or the branch, sources and destination.
 * @param names the `namespace/name` of those that are looked at
 * @returns the old name of each new one
 */
export function renamedApplications(
  before: Applications,
  after: Applications,
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

function withoutThose(names: readonly string[], known: Applications): string[] {
  return names.filter((name) => !known.has(name))
}

function grouped(
  names: readonly string[],
  known: Applications,
  sign: (one: PlacedApplication) => unknown,
): Map<string, string[]> {
  return Map.groupBy(names, (name) => {
    const application = known.get(name)
    return application ? JSON.stringify(sign(application)) : name
  })
}

function directoryOf({ repoUrl, branch, path }: PlacedApplication): string[] {
  return [repositoryIdentity(repoUrl), branch, path]
}

/** Returns the places of the sources, regardless of their revisions and options. */
function pathsOf({ sources }: PlacedApplication): unknown {
  return sources.map(({ repoURL, chart = '', path }) => [repositoryIdentity(repoURL), chart, path])
}

function destinationOf({ application: { destination } }: PlacedApplication): unknown {
  const { server, name, namespace } = destination
  return [server ?? name, namespace]
}
