import { create } from '@bufbuild/protobuf'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { pathWithin } from '@wadi/file-trees/repository-path.ts'
import { type ManifestIdentity, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { type ObjectOrigins, ObjectOriginsSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { readConfigFile } from '../../source/config-file.ts'
import { findKustomization } from './kustomize-inputs.ts'

/** Most directories and files that are looked through, and bytes of all files. */
const maxPlaces = 2_000
const maxBytes = 4 * 1024 * 1024

/** Most comparisons of names; an object beyond has no known origin, nor has one with a longer name than Kubernetes allows. */
const maxComparisons = 1_000_000
const maxNameLength = 253

/** An object of a file that a kustomization lists, or one that it generates. */
interface ListedResource extends Pick<ManifestIdentity, 'group' | 'kind' | 'name'> {
  /** The position of its origin. */
  readonly origin: number
}

/** Files that kustomizations list, with the objects in them. */
interface Listing {
  readonly origins: { owners: string[]; template: string; file: string }[]
  readonly resources: ListedResource[]
  placesLeft: number
  bytesLeft: number
}

/**
 * Returns the files that the objects of a kustomization come from: those with the same kind and name, or a name that has a prefix or suffix
 * more. One that may come from several files has no known origin, as one of a chart or of a remote base.
 */
export async function kustomizeOrigins(
  tree: FileTree,
  path: string,
  manifests: readonly string[],
): Promise<ObjectOrigins> {
  const listing: Listing = { origins: [], resources: [], placesLeft: maxPlaces, bytesLeft: maxBytes }
  await listDirectory(tree, path, [], listing)
  const originOf = originFinder(listing.resources)
  return create(ObjectOriginsSchema, {
    origins: listing.origins,
    originOf: manifests.map((text) => originOf(manifestIdentity(manifestFromJson(text))) + 1),
  })
}

/**
 * Finds the position of the only origin with the longest name that is part of an object's; -1 for none.
 * @internal
 */
export function originFinder(
  resources: readonly ListedResource[],
): (object: Omit<ListedResource, 'origin'>) => number {
  const named = resources.filter(({ name }) => name !== '' && name.length <= maxNameLength)
  const byKind = Map.groupBy(named, kindKey)
  const sameName = new Map<string, number>()
  for (const { origin, ...object } of named) {
    const key = nameKey(object)
    sameName.set(key, (sameName.get(key) ?? origin) === origin ? origin : -1)
  }
  let comparisonsLeft = maxComparisons
  return (object) => {
    const { name } = object
    const same = name.length > maxNameLength ? -1 : sameName.get(nameKey(object))
    if (same !== undefined) return same
    const ofKind = byKind.get(kindKey(object)) ?? []
    comparisonsLeft -= ofKind.length
    if (comparisonsLeft < 0) return -1
    const near = ofKind.filter((resource) => name.includes(resource.name))
    const longest = near.reduce((most, resource) => Math.max(most, resource.name.length), 0)
    const ofLongest = near.filter((resource) => resource.name.length === longest)
    const origins = new Set(ofLongest.map(({ origin }) => origin))
    const [only = -1] = origins
    return origins.size === 1 ? only : -1
  }
}

function kindKey({ group, kind }: Pick<ManifestIdentity, 'group' | 'kind'>): string {
  return `${group}/${kind}`
}

function nameKey({ name, ...object }: Omit<ListedResource, 'origin'>): string {
  return `${kindKey(object)}/${name}`
}

async function listDirectory(
  tree: FileTree,
  directory: string,
  owners: readonly string[],
  listing: Listing,
): Promise<void> {
  const file = await findKustomization(tree, directory)
  if (file === undefined || listing.placesLeft-- <= 0) return
  const own = [...owners, directory || '.']
  const { value } = await readConfigFile(tree, (await followPath(tree, file))?.target ?? file, file)
  if (!isJsonObject(value)) return
  const references = ['resources', 'bases', 'components'].flatMap((field) => listOf(value[field]))
  for (const reference of references)
    if (typeof reference === 'string') await listReference(tree, directory, reference, own, listing)
  for (const [field, kind] of [
    ['configMapGenerator', 'ConfigMap'],
    ['secretGenerator', 'Secret'],
  ] as const) {
    const names = listOf(value[field]).flatMap((entry) =>
      isJsonObject(entry) && typeof entry['name'] === 'string' ? [entry['name']] : [],
    )
    if (names.length > 0)
      addResources(
        listing,
        own,
        file,
        directory,
        names.map((name) => ({ group: '', kind, name })),
      )
  }
}

async function listReference(
  tree: FileTree,
  directory: string,
  reference: string,
  owners: readonly string[],
  listing: Listing,
): Promise<void> {
  if (listing.placesLeft-- <= 0 || reference.includes('://')) return
  try {
    const path = pathWithin(directory, reference, 'resource')
    const found = await followPath(tree, path)
    if (found?.entry.kind === 'directory') return await listDirectory(tree, path, owners, listing)
    if (found === undefined) return
    const content = await tree.read(found.target, listing.bytesLeft)
    listing.bytesLeft -= content.length
    addResources(
      listing,
      owners,
      path,
      directory,
      parseManifests(content.toString(), { file: path }).map(manifestIdentity),
    )
  } catch (error) {
    // What cannot be read is no known origin; the render says what is wrong with it.
    if (!(error instanceof DomainError)) throw error
  }
}

function addResources(
  { origins, resources }: Listing,
  owners: readonly string[],
  file: string,
  directory: string,
  objects: readonly Omit<ListedResource, 'origin'>[],
): void {
  const prefix = directory === '' ? '' : `${directory}/`
  const template = file.startsWith(prefix) ? file.slice(prefix.length) : file
  const origin = origins.push({ owners: [...owners], template, file }) - 1
  resources.push(...objects.map(({ group, kind, name }) => ({ group, kind, name, origin })))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
