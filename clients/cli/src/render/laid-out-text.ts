import { joinedManifests, manifestFiles } from '@wadi/hydration/manifest-files.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Layout } from '@wadi/resources/application/layout.ts'
import type { LocalRender } from './render-tree.ts'

/** Returns the output of a render as a hydrated directory has it in a layout. */
export function laidOutText(
  { manifests, printed }: Pick<LocalRender, 'manifests' | 'printed'>,
  layout: Layout,
): string {
  const files = manifestFiles(manifests, layout, printed)
  return joinedManifests(
    files.map((file) => emitManifests(file.manifests.map((text) => manifestFromJson(text)))),
  )
}
