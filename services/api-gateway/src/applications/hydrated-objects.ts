import { setImmediate as nextTurn } from 'node:timers/promises'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { type ManifestIdentity, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { isSecret } from '@wadi/manifests/mask-secrets.ts'
import { type ManifestDocument, readDocuments } from '@wadi/manifests/parse-manifests.ts'
import { by } from '@wadi/order/by-name.ts'
import type { GetManifestsResponse } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { maxManifestBytes } from './hidden-secrets.ts'

/** An object of a hydrated directory. */
export interface HydratedObject {
  identity: ManifestIdentity
  /** The kind, with the API group behind a dot unless it is the core group. */
  kind: string
  /** The path of its file on the branch. */
  file: string
  /** The first line of its document in the file. */
  line: number
  /** The text, with the values of a Secret in it. */
  yaml: string
  isSecret: boolean
}

/** Other calls get a turn after so long. */
const maxTurnMs = 20

/**
 * Reads the objects of a hydrated directory, by kind, group, namespace and name; a large one in turns with other work.
 * @param path the directory
 * @throws InvalidInputError if somebody else left what is not manifests
 */
export async function readHydratedObjects(
  { manifest, objectFiles, hydratedSha }: GetManifestsResponse,
  path: string,
): Promise<HydratedObject[]> {
  const file = `${path}/manifest.yaml of ${hydratedSha.slice(0, 7)}`
  const limits = { maxBytes: maxManifestBytes }
  const placeAt = linePlaces(objectFiles, path)
  const objects: HydratedObject[] = []
  let line = 1
  let counted = 0
  let turn = performance.now()
  for (const document of readDocuments(manifest, { file, limits })) {
    const { start } = document.part
    for (
      let end = manifest.indexOf('\n', counted);
      end !== -1 && end < start;
      end = manifest.indexOf('\n', counted)
    ) {
      line++
      counted = end + 1
    }
    objects.push(...objectsOf(document, line, placeAt))
    if (performance.now() - turn < maxTurnMs) continue
    await nextTurn()
    turn = performance.now()
  }
  return objects.toSorted(
    by(({ identity: { kind, group, namespace, name } }) => [kind, group, namespace, name].join('\n')),
  )
}

/** The line between documents, which belongs to the one after it. */
const separator = /^---[ \t]*\r?\n/

function objectsOf(
  { manifests, part, isWholePart }: ManifestDocument,
  partLine: number,
  placeAt: (line: number) => Pick<HydratedObject, 'file' | 'line'>,
): HydratedObject[] {
  const text = part.text.replace(separator, '')
  const place = placeAt(text.length < part.text.length ? partLine + 1 : partLine)
  // The text of several objects would show what a Secret among them holds.
  const hasOwnText = isWholePart && manifests.length === 1
  return manifests.map((manifest) => {
    const identity = manifestIdentity(manifest)
    const { kind, group } = identity
    return {
      identity,
      kind: group === '' ? kind : `${kind}.${group}`,
      ...place,
      yaml: hasOwnText ? text : emitManifests([manifest]),
      isSecret: isSecret(manifest),
    }
  })
}

/** Returns what finds the file, and the line in it, of ascending lines of the joined text. */
function linePlaces(files: GetManifestsResponse['objectFiles'], directory: string) {
  const clean = cleanDestinationPath(directory)
  let index = 0
  let before = 0
  return (line: number) => {
    for (
      let one = files[index];
      one && files.length > index + 1 && line > before + one.lines;
      one = files[index]
    ) {
      before += one.lines
      index++
    }
    return { file: pathInside(clean, files[index]?.path ?? hydratedFiles.manifest), line: line - before }
  }
}
