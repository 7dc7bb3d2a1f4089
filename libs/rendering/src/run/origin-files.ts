import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { Plan, RenderedObjects } from '../plan/plan.ts'

/** Returns the file of the tree that each object was made from, as the render recorded it or it can be found; undefined where it is not known. */
export async function originFiles(
  tree: FileTree,
  { findOrigins }: Pick<Plan, 'findOrigins'>,
  rendered: RenderedObjects,
): Promise<(string | undefined)[]> {
  const { origins, originOf } = rendered.origins ??
    (await findOrigins?.(tree, rendered)) ?? { origins: [], originOf: [] }
  return originOf.map((position) => origins[position - 1]?.file || undefined)
}
