import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { isNestedDeeper } from '@wadi/manifests/json-depth.ts'
import { manifestFromJson, manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { defaultManifestLimits, parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { splitJsonObjects } from './json-stream.ts'

/**
 * Reads what a plugin generated, YAML documents or JSON objects one after the other, as one JSON text for each object.
 * @throws InvalidInputError naming the line
 */
export function generatedManifests(text: string, maxBytes: number): string[] {
  try {
    if (/^\s*\{/.test(text))
      return splitJsonObjects(text).map((object, index) => manifestText(object, index + 1))
    return parseManifests(text, { file: 'output', limits: { maxBytes } }).map((manifest) =>
      manifestToJson(manifest),
    )
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause
    throw new InvalidInputError(`failed to unmarshal manifest: ${errorMessage(cause)}`, { cause })
  }
}

function manifestText(object: string, position: number): string {
  const { maxDepth } = defaultManifestLimits
  if (!isNestedDeeper(object, maxDepth)) return manifestToJson(manifestFromJson(object))
  throw new InvalidInputError(`object ${position} is nested deeper than ${maxDepth} levels`)
}
