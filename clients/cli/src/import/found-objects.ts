import { errorMessage } from '@wadi/errors/domain-error.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { nameOf } from '@wadi/file-trees/repository-path.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { LabelMatcher } from '@wadi/resources/label-selector.ts'
import { isTemplateFile, maxFileBytes, readApplicationFiles } from '../diff/local/application-files.ts'
import { hasContent } from './hydrated-spec.ts'
import { kustomizationNames, kustomizePatches } from './kustomize-patches.ts'
import { isBelow } from './path-places.ts'
import { type ObjectPlace, objectPlaces } from './object-places.ts'

/** The file of an object and its place in it. */
interface ObjectOrigin {
  /** The path from the root of the repository. */
  readonly file: string
  readonly place: ObjectPlace
}

/** An Application or ApplicationSet that may be moved. */
export interface FoundObject {
  readonly manifest: Manifest
  /** Absent for an object of a cluster. */
  readonly origin?: ObjectOrigin
  /** The kustomization that uses its file as a patch; absent for an object of its own. */
  readonly patchOf?: string
}

/** A file that names Applications and cannot be read as objects, such as a template of a chart. */
export interface UnreadableFile {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** True for one that may be a template of a chart. */
  readonly isTemplate?: boolean
}

/** The Applications and ApplicationSets of some files. */
export interface FoundObjects {
  readonly objects: readonly FoundObject[]
  /** These and all others of the repository or cluster. */
  readonly known: readonly FoundObject[]
  readonly unreadable: readonly UnreadableFile[]
  readonly warnings: readonly string[]
}

/** The parts of what is found that are wanted. */
export interface Selection {
  /** `NAME` or `NAMESPACE/NAME`; all if there are none. */
  readonly names: readonly string[]
  readonly matches: LabelMatcher
}

/** Returns `namespace/name` of an object. */
export function keyOf(manifest: Manifest): string {
  const namespace = textAt(manifest, 'metadata', 'namespace') || controlPlaneNamespace
  return `${namespace}/${textAt(manifest, 'metadata', 'name')}`
}

/** Returns the keys from an object to the spec of its Application. */
export function specPathOf({ kind }: Manifest): readonly string[] {
  return kind === 'ApplicationSet' ? ['spec', 'template', 'spec'] : ['spec']
}

/** Returns the kind and name of an object, for people. */
export function titleOf(manifest: Manifest): string {
  return `${textAt(manifest, 'kind')} ${keyOf(manifest)}`
}

/**
 * Finds the Applications and ApplicationSets in files of a repository.
 * @param paths the files and directories to look in, from the root of the repository; `''` is all of it
 */
export async function findObjects(tree: FileTree, paths: readonly string[]): Promise<FoundObjects> {
  const files = await readApplicationFiles(tree)
  const isWanted = (file: string): boolean => isBelow(file, paths)
  const known: FoundObject[] = []
  const objectsOf = Map.groupBy(files.objects, ({ path }) => path)
  const patches = await kustomizePatches(tree, objectsOf.keys())
  for (const [file, found] of objectsOf) {
    const patchOf = patches.get(file)
    const places = objectPlaces((await tree.read(file, maxFileBytes)).toString())
    for (const [index, { manifest }] of found.entries()) {
      const place = places.length === found.length ? places[index] : undefined
      const origin = { file, place: place ?? { document: -1, line: 1 } }
      if (patchOf === undefined) known.push({ manifest, origin })
      else if (hasSource(manifest)) known.push({ manifest, origin, patchOf })
    }
  }
  const unreadable: UnreadableFile[] = []
  for (const [file, { error, isExpected }] of files.unreadable) {
    // Patches may name the kind, but make no Application.
    if (!isWanted(file) || kustomizationNames.includes(nameOf(file))) continue
    const text = (await tree.read(file, maxFileBytes)).toString()
    const line = kindLine(text)
    unreadable.push(
      isExpected
        ? { file, line, reason: templateReason, isTemplate: true }
        : { file, line, reason: errorMessage(error) },
    )
  }
  for (const file of files.mentions) {
    if (!isTemplateFile.test(file) || !isWanted(file)) continue
    const text = (await tree.read(file, maxFileBytes)).toString()
    unreadable.push({ file, line: kindLine(text), reason: templateReason })
  }
  const objects = known.filter(({ origin }) => origin && isWanted(origin.file))
  return { objects, known, unreadable, warnings: files.warnings }
}

/** True unless a patch leaves the source of what it changes alone. */
function hasSource(patch: Manifest): boolean {
  const spec = objectAt(patch, ...specPathOf(patch)) as Manifest
  return hasContent(spec['source']) || hasContent(spec['sources'])
}

const templateReason =
  'it is a template that makes Applications; replace its source by sourceHydrator by hand, or import the Applications that it makes'

/** Returns the objects that are selected. */
export function selected(objects: readonly FoundObject[], { names, matches }: Selection): FoundObject[] {
  return objects.filter(({ manifest }) => {
    const labels = Object.entries(objectAt(manifest, 'metadata', 'labels'))
    const isNamed =
      names.length === 0 ||
      names.some((name) => [keyOf(manifest), textAt(manifest, 'metadata', 'name')].includes(name))
    return isNamed && matches(Object.fromEntries(labels.map(([key, value]) => [key, String(value)])))
  })
}

function kindLine(text: string): number {
  const index = text.search(/["']?kind["']?\s*:\s*["']?Application/)
  return text.slice(0, Math.max(0, index)).split('\n').length
}
