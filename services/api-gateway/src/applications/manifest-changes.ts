import { randomBytes } from 'node:crypto'
import { compareFiles, compareManifests, type FileBeside } from '@wadi/changes/objects/compare-manifests.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'

/** The most text of one answer, in characters. */
const maxText = 8 * 1024 * 1024

/** Manifests and the files beside them. */
interface ManifestSide {
  manifests: readonly Manifest[]
  files: readonly FileBeside[]
}

/** Returns the objects and files that differ, with the values of Secrets masked; what no longer fits is there without its text. */
export function manifestChanges(before: ManifestSide, after: ManifestSide): ObjectChange[] {
  const budget = { left: maxText }
  const options = { rules: [], hashKey: randomBytes(32), budget }
  const { objects } = compareManifests(before.manifests, after.manifests, options)
  return [...objects, ...compareFiles(before.files, after.files, budget)]
}
