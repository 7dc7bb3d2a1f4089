import { isJsonObject } from '@wadi/fields/json-object.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import type { Manifest, ManifestIdentity } from '@wadi/manifests/manifest.ts'

/** An object that is on one side of a comparison alone. */
export interface LoneObject {
  readonly manifest: Manifest
  readonly identity: ManifestIdentity
}

/** The share of equal lines from which two objects are taken for one. */
const minSimilarity = 0.6
/** Pairs of one kind of object whose lines are compared, and the lines of each. */
const maxComparisons = 2_500
const maxLines = 2_000

/**
 * Finds the new objects that are old ones with another identity, each old one at most once: with another API group, with the same content, with
 * another hash at the end of the name, or with mostly the same lines.
 * @returns the old object of each new one
 */
export function renamePairs(
  removed: readonly LoneObject[],
  created: readonly LoneObject[],
): Map<LoneObject, LoneObject> {
  const pairs = new Map<LoneObject, LoneObject>()
  if (removed.length === 0 || created.length === 0) return pairs
  const left = new Set(removed)
  const open = new Set(created)
  const pair = (old: LoneObject, next: LoneObject): void => {
    pairs.set(next, old)
    left.delete(old)
    open.delete(next)
  }
  const contents = new Map<LoneObject, string>()
  const contentOf = (one: LoneObject): string => contents.getOrInsertComputed(one, nameless)
  for (const keyOf of [withoutGroup, byContent(contentOf), withoutHash]) {
    const olds = Map.groupBy(left, keyOf)
    for (const next of open) {
      const old = olds.get(keyOf(next))?.shift()
      if (old) pair(old, next)
    }
  }
  const olds = Map.groupBy(left, kindOf)
  for (const [kind, nexts] of Map.groupBy(open, kindOf)) {
    for (const [old, next] of similarPairs(olds.get(kind) ?? [], nexts, contentOf)) pair(old, next)
  }
  return pairs
}

function kindOf({ identity: { group, kind } }: LoneObject): string {
  return JSON.stringify([group, kind])
}

function withoutGroup({ identity: { kind, namespace, name } }: LoneObject): string {
  return JSON.stringify([kind, namespace, name])
}

function byContent(contentOf: (one: LoneObject) => string) {
  return (one: LoneObject): string => `${kindOf(one)}\n${contentOf(one)}`
}

/** Kustomize puts a hash of ten characters behind the names of what it generates. */
function withoutHash(one: LoneObject): string {
  const { namespace, name } = one.identity
  const stem = name.replace(/-[0-9a-z]{10}$/, '')
  return JSON.stringify([kindOf(one), namespace, stem, stem === name ? 'whole' : 'stem'])
}

/** The object as YAML without its name and namespace. */
function nameless({ manifest }: LoneObject): string {
  const { metadata } = manifest
  if (!isJsonObject(metadata)) return emitManifests([manifest])
  const { name: _name, namespace: _namespace, ...rest } = metadata
  return emitManifests([{ ...manifest, metadata: rest }])
}

/** The most similar pairs first. */
function* similarPairs(
  olds: readonly LoneObject[],
  nexts: readonly LoneObject[],
  contentOf: (one: LoneObject) => string,
): Generator<[LoneObject, LoneObject]> {
  if (olds.length * nexts.length > maxComparisons) return
  const linesOf = new Map([...olds, ...nexts].map((one) => [one, tellingLines(contentOf(one))]))
  const scored = olds.flatMap((old) =>
    nexts.map((next) => ({ old, next, score: similarity(linesOf.get(old) ?? [], linesOf.get(next) ?? []) })),
  )
  const taken = new Set<LoneObject>()
  for (const { old, next, score } of scored.toSorted((one, other) => other.score - one.score)) {
    if (score < minSimilarity) return
    if (taken.has(old) || taken.has(next)) continue
    taken.add(old).add(next)
    yield [old, next]
  }
}

/** The lines with a value: every object of a kind has most of the others. */
function tellingLines(text: string): string[] {
  const lines = text.split('\n', maxLines).filter((line) => !/:\s*$|^(?:apiVersion|kind): /.test(line))
  return lines.filter((line) => line.trim() !== '')
}

function similarity(some: readonly string[], others: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of some) counts.set(line, (counts.get(line) ?? 0) + 1)
  let shared = 0
  for (const line of others) {
    const count = counts.get(line) ?? 0
    if (count === 0) continue
    counts.set(line, count - 1)
    shared++
  }
  return (2 * shared) / Math.max(1, some.length + others.length)
}
