import { textAt } from '@wadi/fields/json-fields.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { locationOf, offsetOfPath } from '@wadi/manifests/yaml-source.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'

/** Returns `file:line` of an object in a text of YAML or JSON, also of one in a List; the file alone when it is not there. */
export function objectPlace(text: string, file: string, { kind, metadata }: Manifest): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined
  const { documents, source } = readYaml(text, file)
  for (const { value, eventIndex } of documents) {
    const items = isJsonObject(value) && Array.isArray(value['items']) ? value['items'] : []
    const places = [
      { object: value, path: [] },
      ...items.map((object, index) => ({ object, path: ['items', index] })),
    ]
    for (const { object, path } of places) {
      if (!isJsonObject(object) || object['kind'] !== kind || textAt(object, 'metadata', 'name') !== name)
        continue
      return `${file}:${locationOf(source, offsetOfPath(source, eventIndex, [...path, 'metadata', 'name'])).line}`
    }
  }
  return file
}
