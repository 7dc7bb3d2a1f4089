import { manifestIdentity } from './manifest.ts'
import type { Manifest, ManifestIdentity } from './manifest.ts'
import { manifestToJson } from './manifest-json.ts'

/**
 * Returns the objects ordered by namespace, name, group and kind, each by Unicode code points with a missing part
 * first. Objects equal in these are ordered by version and then by content, so the input order never shows.
 */
export function sortManifests(manifests: readonly Manifest[]): Manifest[] {
  return manifests
    .map((manifest) => ({ manifest, identity: manifestIdentity(manifest) }))
    .toSorted(
      (left, right) =>
        compareIdentities(left.identity, right.identity) ||
        compareCodePoints(manifestToJson(left.manifest), manifestToJson(right.manifest)),
    )
    .map(({ manifest }) => manifest)
}

function compareIdentities(left: ManifestIdentity, right: ManifestIdentity): number {
  return (
    compareCodePoints(left.namespace, right.namespace) ||
    compareCodePoints(left.name, right.name) ||
    compareCodePoints(left.group, right.group) ||
    compareCodePoints(left.kind, right.kind) ||
    compareCodePoints(left.version, right.version)
  )
}

function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0
  const shorter = Math.min(left.length, right.length)
  for (let index = 0; index < shorter; index++) {
    const leftUnit = left.charCodeAt(index)
    const rightUnit = right.charCodeAt(index)
    if (leftUnit !== rightUnit) return rank(leftUnit) - rank(rightUnit)
  }
  return left.length - right.length
}

/** Surrogates stand for code points above all others of UTF-16, though units up to 0xffff follow them. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
