import { create } from '@bufbuild/protobuf'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { type ObjectOrigins, ObjectOriginsSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { ManifestOrigin, ReadManifests } from './manifests/manifest-job.ts'

/** Returns what a render says of the origins of its objects, as it is recorded; undefined where it says nothing. */
export async function recordedOrigins(
  tree: FileTree,
  { origins, originOf }: Pick<ReadManifests, 'origins' | 'originOf'>,
): Promise<ObjectOrigins | undefined> {
  const files = await Promise.all(origins.map(({ file }) => isFile(tree, file)))
  const isKnown = origins.map(({ owners }, index) => owners.length > 0 || files[index] === true)
  if (!isKnown.includes(true)) return undefined
  return create(ObjectOriginsSchema, {
    origins: origins.map(({ owners, template, file }: ManifestOrigin, index) => ({
      owners: [...owners],
      template,
      file: files[index] === true ? file : '',
    })),
    originOf: originOf.map((position) => (isKnown[position] === true ? position + 1 : 0)),
  })
}

/** A comment of a chart may name any path. */
const isPlainPath = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\0]{1,4096}$/

async function isFile(tree: FileTree, path: string): Promise<boolean> {
  const kind = isPlainPath.test(path) ? (await tree.entry(path))?.kind : undefined
  return kind === 'file' || kind === 'executable' || kind === 'symlink'
}
