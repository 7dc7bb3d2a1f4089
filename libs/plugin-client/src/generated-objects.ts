import { setImmediate as nextTurn } from 'node:timers/promises'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isNestedDeeper } from '@wadi/manifests/json-depth.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { manifestFromJson, manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { defaultManifestLimits, parseManifests } from '@wadi/manifests/parse-manifests.ts'

// About ten milliseconds of reading.
const readAtOnce = 1024 ** 2

/**
 * Reads what a plugin answered: each text a JSON object, or YAML documents as Argo CD takes them too. Lists become their
 * items and empty documents nothing.
 * @returns the objects, each as compact JSON
 * @throws InvalidInputError for what is not a Kubernetes object, ResourceExhaustedError for more than `maxObjects` and for one
 *   that is nested too deep
 */
export async function generatedObjects(
  texts: readonly string[],
  plugin: string,
  maxObjects: number,
): Promise<string[]> {
  const objects: string[] = []
  let sinceTurn = 0
  for (const [index, text] of texts.entries()) {
    const what = `plugin ${plugin}, manifest ${index + 1}`
    const single = singleObject(text)
    const found = single === undefined ? parseManifests(text, { file: what }) : [single]
    for (const manifest of found) objects.push(manifestToJson(manifest))
    if (objects.length > maxObjects) {
      throw new ResourceExhaustedError(`plugin ${plugin} generated more than ${maxObjects} objects`)
    }
    sinceTurn += text.length
    if (sinceTurn > readAtOnce) {
      sinceTurn = 0
      await nextTurn()
    }
  }
  return objects
}

/** The object of a JSON text; undefined when there is more to find out about it. */
function singleObject(text: string): Manifest | undefined {
  if (!/^\s*\{/.test(text) || isNestedDeeper(text, defaultManifestLimits.maxDepth)) return undefined
  let manifest: Manifest
  try {
    manifest = manifestFromJson(text)
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
  const { kind, apiVersion } = manifest
  const isPlain =
    Object.hasOwn(manifest, 'kind') && typeof kind === 'string' && kind !== '' && !kind.endsWith('List')
  return isPlain && typeof apiVersion === 'string' && apiVersion !== '' ? manifest : undefined
}
