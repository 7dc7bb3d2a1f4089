import type { ComparedSide } from '@wadi/changes/applications/application-changes.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { readDirectory } from '@wadi/hydration/read-directory.ts'
import { dropEmptyAnnotations } from '@wadi/manifests/empty-annotations.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { readManifestTexts } from '@wadi/rendering/source/manifest-texts.ts'

/** A directory of a branch that another system writes. */
export interface HeldDirectory extends ComparedSide {
  /** The text of its only file with objects, `manifest.yaml`; undefined if they are in other files. */
  readonly manifest: string | undefined
}

/**
 * Reads the objects of a directory of a branch: those of a hydrator, or of all YAML and JSON files in it and below it; undefined if there
 * is no such directory.
 * @throws InvalidInputError with the file and line of what is not a manifest, ResourceExhaustedError above the bounds of a hydration
 */
export async function readHeldDirectory(tree: CommitTree, path: string): Promise<HeldDirectory | undefined> {
  const hydrated = await readDirectory(tree, path)
  if (hydrated?.metadata) {
    const { manifest, files } = hydrated
    const file = pathInside(path, hydratedFiles.manifest)
    return { manifest, files, manifests: objectsOf(manifest, file) }
  }
  if (path !== '' && (await tree.entry(path))?.kind !== 'directory') return undefined
  const texts = await readManifestTexts(tree, path, 'syncSource.path')
  const manifests = texts.flatMap(({ file, text }) => objectsOf(text, file))
  const [only, ...more] = texts
  const isAlone = more.length === 0 && only?.file === pathInside(path, hydratedFiles.manifest)
  return { manifest: isAlone ? only.text : undefined, files: [], manifests }
}

/** Returns the objects of a text, as a render has them. */
function objectsOf(text: string, file: string): Manifest[] {
  const manifests = parseManifests(text, { file })
  for (const manifest of manifests) dropEmptyAnnotations(manifest)
  return manifests
}
