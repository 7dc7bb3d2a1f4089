import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { objectsText } from '../commit/object-owners.ts'
import type { RenderedDirectory } from '../render/render.ts'
import { type BranchDefinition, definedGroups, definitionsAmong } from './made-kinds.ts'

/** The objects of rendered directories, to which more are added. */
export interface NotedObjects {
  readonly objects: Map<string, string>
  readonly definitions: Map<string, readonly BranchDefinition[]>
}

/**
 * Notes the objects of a directory, and the definitions among those that come to the branch.
 * @param wantsDefinitions false if nothing is checked by them
 */
export function noteMade(
  { objects, definitions }: NotedObjects,
  { directory: { path, layout }, manifests }: Pick<RenderedDirectory, 'directory' | 'manifests'>,
  wantsDefinitions: boolean,
): void {
  const text = objectsText(manifests)
  objects.set(path, text)
  if (!wantsDefinitions || layout.crds === 'omit' || definedGroups(text).size === 0) return
  const all = manifests.map((json) => manifestFromJson(json))
  definitions.set(path, definitionsAmong(all, path))
}
