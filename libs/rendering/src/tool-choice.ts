import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './tree/file-tree.ts'
import { followPath } from './tree/follow-links.ts'
import { findKustomization } from './kustomize/kustomize-inputs.ts'
import { childPath } from './tree/repository-path.ts'
import type { SourceOptions } from './source.ts'

/** A renderer of one tool or none. */
export type DetectedRenderer = 'helm' | 'kustomize' | 'directory'

/** The renderer whose options the source has. */
export function chosenRenderer(path: string, options: SourceOptions): keyof SourceOptions | undefined {
  const [first, ...others] = (['helm', 'kustomize', 'directory', 'plugin'] as const).filter(
    (key) => options[key] !== undefined,
  )
  if (first !== undefined && others.length > 0) {
    throw new InvalidInputError(
      `source "${path || '.'}" has options of several renderers: ${[first, ...others].join(', ')}; keep one`,
    )
  }
  return first
}

/** The renderer of one tool or none that a directory's files ask for. */
export async function detectTool(tree: FileTree, path: string): Promise<DetectedRenderer> {
  if ((await followPath(tree, childPath(path, 'Chart.yaml'))) !== undefined) return 'helm'
  return (await findKustomization(tree, path)) === undefined ? 'directory' : 'kustomize'
}
