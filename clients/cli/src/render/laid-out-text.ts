import type { HydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { joinedManifests, manifestFiles } from '@wadi/hydration/manifest-files.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { isDefaultLayout } from '@wadi/resources/application/layout.ts'
import type { LocalRender } from './render-tree.ts'

/** Returns the output of a render as a hydrated directory in the layout of a record has it. */
export function laidOutText(
  { manifest, manifests }: Pick<LocalRender, 'manifest' | 'manifests'>,
  { layout }: Pick<HydratorMetadata, 'layout'>,
): string {
  if (isDefaultLayout(layout)) return manifest
  const files = manifestFiles(manifests, layout)
  return joinedManifests(
    files.map((file) => emitManifests(file.manifests.map((text) => manifestFromJson(text)))),
  )
}
