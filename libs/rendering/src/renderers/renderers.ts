import { directory } from './directory/directory-renderer.ts'
import { helm } from './helm/helm-renderer.ts'
import { kustomize } from './kustomize/kustomize-renderer.ts'
import { zarfPackage } from './package/package-renderer.ts'
import type { Renderer } from '../plan/renderer.ts'
import { plugin } from './plugin/plugin-renderer.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { workload } from './workload/workload-renderer.ts'

/** The renderers in the order in which they are asked whether a source is theirs; the last one takes what is left. */
export const defaultRenderers = [
  plugin,
  zarfPackage,
  kustomize,
  helm,
  workload,
  directory,
] as const satisfies readonly Renderer[]

/** The renderer that a directory's files ask for, whatever options it has; undefined when none does. */
export async function detectRenderer(tree: FileTree, path: string): Promise<Renderer | undefined> {
  for (const renderer of defaultRenderers) if (await renderer.detects(tree, path)) return renderer
  return undefined
}
