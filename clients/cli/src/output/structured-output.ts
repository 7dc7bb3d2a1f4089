import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'

/** Returns a value as JSON, indented by two spaces, or as YAML that Go tools read back as it was. */
export function structuredText(value: JsonObject | readonly JsonObject[], format: 'json' | 'yaml'): string {
  if (format === 'json') return `${JSON.stringify(value, undefined, 2)}\n`
  if (!isList(value)) return yamlText(value)
  return value.length === 0 ? '[]\n' : value.map((item) => asListItem(yamlText(item))).join('')
}

function isList(value: JsonValue | readonly JsonObject[]): value is readonly JsonObject[] {
  return Array.isArray(value)
}

function yamlText(object: JsonObject): string {
  return emitManifests([manifestFromJson(JSON.stringify(object))])
}

// Indentation of block scalars is relative to their parent, so a whole document can move to the right.
function asListItem(document: string): string {
  return document.replaceAll(/^(?=.)/gm, '  ').replace('  ', '- ')
}
