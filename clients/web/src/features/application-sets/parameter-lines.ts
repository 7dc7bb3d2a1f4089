import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

/** The parameters of an element as lines, `path.basename: web` for example; a list stays as JSON in its line. */
export function parameterLines(parameters: JsonObject): string[] {
  return Object.entries(parameters).flatMap(([name, value]) => linesOf(name, value))
}

function linesOf(name: string, value: JsonValue): string[] {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isBranch || Object.keys(value).length === 0)
    return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([key, inner]) => linesOf(`${name}.${key}`, inner))
}
