import type { Renderer } from './plan/renderer.ts'
import { defaultRenderers } from './renderers.ts'
import type { FileTree } from './tree/file-tree.ts'

/** The renderer that a directory's files ask for, whatever options it has; undefined when none does. */
export async function detectRenderer(tree: FileTree, path: string): Promise<Renderer | undefined> {
  for (const renderer of defaultRenderers) if (await renderer.detects(tree, path)) return renderer
  return undefined
}
