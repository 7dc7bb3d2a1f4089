import { randomBytes } from 'node:crypto'
import { compareFiles, compareManifests, type FileBeside } from '@wadi/changes/objects/compare-manifests.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { maskRandom } from '@wadi/manifests/random-fields.ts'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'

/** The most text of one answer, in characters. */
const maxText = 8 * 1024 * 1024

/** Manifests and the files beside them. */
interface ManifestSide {
  manifests: readonly Manifest[]
  files: readonly FileBeside[]
  /** The values that differ from render to render, which are masked; none by default. */
  random?: Parameters<typeof maskRandom>[0]
}

/** Returns the objects and files that differ, with the values of Secrets masked; what no longer fits is there without its text. */
export function manifestChanges(before: ManifestSide, after: ManifestSide): ObjectChange[] {
  const budget = { left: maxText }
  const options = { rules: [], hashKey: randomBytes(32), budget }
  const { objects } = compareManifests(masked(before), masked(after), options)
  return [...objects, ...compareFiles(before.files, after.files, budget)]
}

function masked({ manifests, random = [] }: ManifestSide): Manifest[] {
  return manifests.map(maskRandom(random))
}
