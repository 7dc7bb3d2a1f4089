import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'

/** An object that knows where it is written. */
export interface LocatedObject {
  readonly manifest: Manifest
  readonly located: Located
}

/**
 * Reads the objects of a file, those of a `List` too.
 * @throws InvalidInputError for a file that is not YAML, ResourceExhaustedError above its limits
 */
export function readLocatedObjects(file: string, text: string): LocatedObject[] {
  return readLocatedDocuments(text, file)
    .flatMap(itemsOf)
    .flatMap((located) => {
      const manifest = toJson(located.value)
      return isJsonObject(manifest) ? [{ manifest, located }] : []
    })
}

function itemsOf(document: Located): readonly Located[] {
  const isList = partOf(document, 'kind')?.value === 'List'
  const items = isList ? partOf(document, 'items') : undefined
  return items?.parts === undefined ? [document] : [...items.parts.values()]
}
