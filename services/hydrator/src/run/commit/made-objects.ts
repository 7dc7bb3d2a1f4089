import { LRUCache } from 'lru-cache'
import type { RepeatedObjects } from '@wadi/hydration/repeated-objects.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { inCluster } from '@wadi/resources/cluster-secret.ts'
import type { Directory, ValidatedRun } from '../branch-run.ts'
import type { FingerprintCache } from '../reuse/fingerprint-cache.ts'
import { ObjectOwners, type OwnedObject, type OwningDirectory } from './object-owners.ts'

const maxBranches = 64

/** Sets of Applications, objects of one set, and Applications in all, that a record names. */
const maxSets = 100
const maxObjects = 5
const maxNames = 2000

/** A commit of a run, as far as it decides which objects the branch has. */
interface CommittedObjects {
  readonly run: ValidatedRun
  /** The head before it and, where that has the same files of Wadi's, the one of the record. */
  readonly from: string
  readonly sameAs: string
  readonly to: string
  /** The rendered directories by path: their objects as text. */
  readonly rendered: ReadonlyMap<string, string>
}

/** The directories of a branch's head, as far as they are known. */
interface KnownBranch {
  readonly owners: ObjectOwners
  /** The directories of each group, which nobody changes, and all of them by path. */
  readonly lists: readonly (readonly Directory[])[]
  readonly directories: ReadonlyMap<string, Directory>
  head: string
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
    const texts = new Map(await this.#texts.readHead(run.key, from, sameAs))
    for (const [path, text] of rendered) texts.set(path, text)
    const lists = [...run.directories.values()]
    const known = this.#branches.get(run.key)
    const isAsBefore =
      known?.head === from &&
      known.lists.length === lists.length &&
      known.lists.every((list, index) => list === lists[index])
    if (!isAsBefore) for (const path of texts.keys()) if (!run.claimed.has(path)) texts.delete(path)
    await this.#texts.write(run.key, to, texts)
    const branch = isAsBefore ? known : newlyKnown(lists, texts, known?.owners)
    if (isAsBefore) for (const path of rendered.keys()) branch.owners.set(path, owningOf(branch, texts, path))
    branch.head = to
    this.#branches.set(run.key, branch)
    return repeatedObjects(branch.owners.several(), branch.directories)
  }
}

function newlyKnown(
  lists: KnownBranch['lists'],
  texts: ReadonlyMap<string, string>,
  owners = new ObjectOwners(),
): KnownBranch {
  const directories = new Map(
    lists.flatMap((list) => list.map((directory) => [directory.path, directory] as const)),
  )
  const branch = { owners, lists, directories, head: '' }
  for (const path of owners.paths()) if (!directories.has(path)) owners.set(path, undefined)
  for (const path of directories.keys()) owners.set(path, owningOf(branch, texts, path))
  return branch
}

/** The objects of a directory; undefined where they are not known. */
function owningOf(
  { directories }: Pick<KnownBranch, 'directories'>,
  texts: ReadonlyMap<string, string>,
  path: string,
): OwningDirectory | undefined {
  const [text, directory] = [texts.get(path), directories.get(path)]
  if (text === undefined || directory === undefined) return undefined
  const [{ application }] = directory.members
  return { text, namespace: application.destination.namespace ?? '' }
}

/** The objects that Applications of several directories make in one cluster, together where they are the same Applications. */
function repeatedObjects(
  objects: readonly OwnedObject[],
  directories: ReadonlyMap<string, Directory>,
): RepeatedObjects[] {
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
function ownersByCluster({ paths }: OwnedObject, directories: ReadonlyMap<string, Directory>): string[][] {
  const owners = [...paths].flatMap((path) => {
    const { members = [] } = directories.get(path) ?? {}
    return members.map(({ name, application }) => ({ path, name, cluster: clusterOf(application) }))
  })
  return [...Map.groupBy(owners, ({ cluster }) => cluster).values()]
    .filter((some) => new Set(some.map(({ path }) => path)).size > 1)
    .map((some) => some.map(({ name }) => name).toSorted())
}

function clusterOf({ destination: { server, name } }: Application): string {
  return name === inCluster.name ? inCluster.server : (server ?? name ?? '')
}

function labelOf({ group, kind, namespace, name }: OwnedObject): string {
  const kinds = group === '' ? kind : `${kind}.${group}`
  return `${kinds} ${namespace === '' ? name : `${namespace}/${name}`}`
}
