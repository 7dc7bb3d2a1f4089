import { LRUCache } from 'lru-cache'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type { RepeatedObjects } from '@wadi/hydration/repeated-objects.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { inCluster } from '@wadi/resources/cluster-secret.ts'
import type { Directories, ValidatedRun } from '../branch-run.ts'
import type { FingerprintCache } from '../reuse/fingerprint-cache.ts'
import { ObjectOwners, type OwnedObject, type OwningDirectory } from './object-owners.ts'

const maxBranches = 64

/** Sets of Applications, objects of one set, and Applications in all, that a record names. */
const maxSets = 100
const maxObjects = 5
const maxNames = 2000

/** A commit of a run, as far as it decides which objects the branch has. */
export interface CommittedObjects {
  readonly run: ValidatedRun
  /** The head before it and, where that has the same files of Wadi's, the one of the record. */
  readonly from: string
  readonly sameAs: string
  readonly to: string
  /** The rendered directories by path: their objects as text. */
  readonly rendered: ReadonlyMap<string, string>
}

/** The objects of a branch, and what they were found from. */
interface KnownBranch {
  readonly owners: ObjectOwners
  readonly texts: VersionedMap<string, string>
  readonly directories: Directories
}

/** Knows which objects the directories of branches have, to find those that several Applications make. */
export class MadeObjects {
  readonly #texts: FingerprintCache
  readonly #branches = new LRUCache<string, KnownBranch>({ max: maxBranches })

  /** @param texts keeps the objects of each directory of a branch's head */
  constructor(texts: FingerprintCache) {
    this.#texts = texts
  }

  /** Takes a commit and returns what several Applications make since. A directory that was not rendered since an older version wrote it has no objects. */
  async committed({ run, from, sameAs, to, rendered }: CommittedObjects): Promise<RepeatedObjects[]> {
    const before = (await this.#texts.readHead(run.key, from, sameAs)) ?? VersionedMap.of()
    const unclaimed = [...before.keys()].filter((path) => !run.claimed.has(path))
    const texts = before.with([...unclaimed.map((path) => [path, undefined] as const), ...rendered])
    await this.#texts.write(run.key, to, texts)
    const { byPath: directories } = run
    const known = this.#branches.get(run.key)
    const owners = known?.owners ?? new ObjectOwners()
    const differing = [...texts.differingFrom(known?.texts), ...directories.differingFrom(known?.directories)]
    for (const path of new Set(differing)) owners.set(path, owningOf(directories, texts, path))
    this.#branches.set(run.key, { owners, texts, directories })
    return repeatedObjects(owners.several(), directories)
  }
}

/** The objects of a directory; undefined where they are not known. */
function owningOf(
  directories: Directories,
  texts: VersionedMap<string, string>,
  path: string,
): OwningDirectory | undefined {
  const [text, directory] = [texts.get(path), directories.get(path)]
  if (text === undefined || directory === undefined) return undefined
  const [{ application }] = directory.members
  return { text, namespace: application.destination.namespace ?? '' }
}

/** The objects that Applications of several directories make in one cluster, together where they are the same Applications. */
function repeatedObjects(objects: readonly OwnedObject[], directories: Directories): RepeatedObjects[] {
  const sets = new Map<string, { applications: string[]; objects: string[]; count: number }>()
  for (const object of objects) {
    for (const applications of ownersByCluster(object, directories)) {
      const set = sets.getOrInsertComputed(applications.join('\n'), () => ({
        applications,
        objects: [],
        count: 0,
      }))
      set.count += 1
      if (set.objects.length < maxObjects) set.objects.push(labelOf(object))
    }
  }
  let left = maxNames
  const recorded: RepeatedObjects[] = []
  for (const { applications, objects: labels, count } of [...sets.values()].slice(0, maxSets)) {
    const listed = applications.slice(0, left)
    left -= listed.length
    if (listed.length > 1) {
      recorded.push({ objects: labels, count, applications: listed, applicationCount: applications.length })
    }
  }
  return recorded
}

/** Applications of one directory have one source, so that is no mistake: each directory counts once in a cluster. */
function ownersByCluster({ paths }: OwnedObject, directories: Directories): string[][] {
  const owners = [...paths].flatMap((path) => {
    const { members = [] } = directories.get(path) ?? {}
    return members.map(({ name, application }) => ({ path, name, cluster: clusterOf(application) }))
  })
  return [...Map.groupBy(owners, ({ cluster }) => cluster).values()]
    .filter((some) => new Set(some.map(({ path }) => path)).size > 1)
    .map((some) => some.map(({ name }) => name).toSorted())
}

/** Returns the cluster that an Application is deployed to, as its destination names it. */
export function clusterOf({ destination: { server, name } }: Application): string {
  return name === inCluster.name ? inCluster.server : (server ?? name ?? '')
}

function labelOf({ group, kind, namespace, name }: OwnedObject): string {
  const kinds = group === '' ? kind : `${kind}.${group}`
  return `${kinds} ${namespace === '' ? name : `${namespace}/${name}`}`
}
