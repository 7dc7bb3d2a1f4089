import { isDeepStrictEqual } from 'node:util'
import { create } from '@bufbuild/protobuf'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { type Manifest, type ManifestIdentity, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { hashedSecret } from '@wadi/manifests/mask-secrets.ts'
import { byKey } from '@wadi/order/by-name.ts'
import { type ObjectChange, ObjectChangeSchema } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type NoiseRule, withoutNoise } from '../noise/noise-rules.ts'
import { renamePairs, type LoneObject } from './rename-pairs.ts'

/** The options of a comparison. */
export interface CompareOptions {
  readonly rules: readonly NoiseRule[]
  /** Values of Secrets are hashed with it; random, and never shown. */
  readonly hashKey: Uint8Array
  /** The space left for texts; texts that no longer fit are left out. */
  readonly budget: TextBudget
}

/** Characters that the texts of a comparison may still have together. */
export interface TextBudget {
  left: number
}

/** The differences between two sets of manifests. */
export interface ManifestChanges {
  objects: ObjectChange[]
  /** Objects that differ only in what rules ignore. */
  ignored: number
}

/** A file beside the manifests; its path is relative to the directory `files`. */
export interface FileBeside {
  readonly path: string
  readonly content: string
}

/** The longest text of one object, in characters. */
const maxObjectText = 512 * 1024

/**
 * Compares two sets of objects by group, kind, namespace and name, whatever their order, and finds those that only have
 * another identity. Objects of one identity are compared together.
 */
export function compareManifests(
  before: readonly Manifest[],
  after: readonly Manifest[],
  options: CompareOptions,
): ManifestChanges {
  const olds = byIdentity(before)
  const news = byIdentity(after)
  const changes: ManifestChanges = { objects: [], ignored: 0 }
  const add = (change: string, old: LoneObject[], next: LoneObject[]): void => {
    // Most objects are the same; to write them as text takes longer than to see that.
    if (change === 'changed' && isDeepStrictEqual(manifestsOf(old), manifestsOf(next))) return
    const [oldText, newText] = shownTexts(old, next, options)
    if (change !== 'changed' || oldText !== newText)
      changes.objects.push(objectChange(change, { old, next, oldText, newText }, options.budget))
    else if (emitManifests(manifestsOf(old)) !== emitManifests(manifestsOf(next))) changes.ignored++
  }
  const removed = [...olds].flatMap(([key, objects]) => (news.has(key) ? [] : objects))
  const created = [...news].flatMap(([key, objects]) => (olds.has(key) ? [] : objects))
  const renamed = renamePairs(removed, created)
  for (const [key, next] of news) {
    const old = olds.get(key)
    if (old) add('changed', old, next)
  }
  for (const next of created) {
    const old = renamed.get(next)
    if (old) add('renamed', [old], [next])
    else add('created', [], [next])
  }
  const gone = new Set(renamed.values())
  for (const old of removed) if (!gone.has(old)) add('removed', [old], [])
  changes.objects = sorted(changes.objects)
  return changes
}

/** Compares two sets of files beside the manifests by path. */
export function compareFiles(
  before: readonly FileBeside[],
  after: readonly FileBeside[],
  budget: TextBudget,
): ObjectChange[] {
  const olds = new Map(before.map(({ path, content }) => [path, content]))
  const news = new Map(after.map(({ path, content }) => [path, content]))
  const paths = [...new Set([...olds.keys(), ...news.keys()])].toSorted()
  return paths.flatMap((file) => {
    const [old, next] = [olds.get(file), news.get(file)]
    if (old === next) return []
    const change = old === undefined ? 'created' : next === undefined ? 'removed' : 'changed'
    return [create(ObjectChangeSchema, { change, file, ...boundedTexts(old ?? '', next ?? '', budget) })]
  })
}

/** Identifies an object whatever its version; the parts in the order in which objects are listed. */
export function identityKey({ group, kind, namespace, name }: Omit<ManifestIdentity, 'version'>): string {
  return [group, kind, namespace, name].join('\0')
}

function byIdentity(manifests: readonly Manifest[]): Map<string, LoneObject[]> {
  const objects = manifests.map((manifest) => ({ manifest, identity: manifestIdentity(manifest) }))
  return Map.groupBy(objects, ({ identity }) => identityKey(identity))
}

function manifestsOf(objects: readonly LoneObject[]): Manifest[] {
  return objects.map(({ manifest }) => manifest)
}

/** Both sides as people see them. Noise goes before Secrets are hashed, so that both sides are hashed under one name. */
function shownTexts(
  old: readonly LoneObject[],
  next: readonly LoneObject[],
  { rules, hashKey }: CompareOptions,
): [string, string] {
  const name = identityKey((old[0] ?? next[0])?.identity ?? { group: '', kind: '', namespace: '', name: '' })
  const [oldText = '', newText = ''] = [old, next].map((objects) =>
    emitManifests(objects.map(({ manifest }) => hashedSecret(withoutNoise(manifest, rules), hashKey, name))),
  )
  return [oldText, newText]
}

function objectChange(
  change: string,
  {
    old,
    next,
    oldText,
    newText,
  }: { old: LoneObject[]; next: LoneObject[]; oldText: string; newText: string },
  budget: TextBudget,
): ObjectChange {
  const [oldIdentity, newIdentity] = [old[0]?.identity, next[0]?.identity]
  const previous = change === 'renamed' && oldIdentity ? { previous: identityMessage(oldIdentity) } : {}
  const identity = newIdentity ?? oldIdentity
  return create(ObjectChangeSchema, {
    change,
    ...(identity && { identity: identityMessage(identity) }),
    ...previous,
    ...boundedTexts(oldText, newText, budget),
  })
}

function identityMessage({ group, kind, namespace, name }: ManifestIdentity) {
  return { group, kind, namespace, name }
}

function boundedTexts(before: string, after: string, budget: TextBudget) {
  const length = before.length + after.length
  if (before.length > maxObjectText || after.length > maxObjectText || length > budget.left) {
    return { truncated: true }
  }
  budget.left -= length
  return { before, after }
}

function sorted(objects: readonly ObjectChange[]): ObjectChange[] {
  const keyed = objects.map((object): [string, ObjectChange] => [
    object.identity ? identityKey(object.identity) : '',
    object,
  ])
  return keyed.toSorted(byKey).map(([, object]) => object)
}
