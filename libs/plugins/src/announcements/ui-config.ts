import { ExactNumber, parseExactJson } from '../exact-number.ts'
import { type Fields, type Reading, below, isAbsent, isObjectNode, itemsOf, warn } from '../reading.ts'
import { readScalar, readText } from '../values/scalar.ts'

/** Reads a plugin's data for user interfaces: a string, or JSON, which is passed on as its text. */
export function readUiConfig(reading: Reading, value: unknown): string {
  if (!isObjectNode(value) && !Array.isArray(value)) return readText(reading, value)
  return JSON.stringify(value, (_key, node: unknown) =>
    node instanceof ExactNumber ? Number(node.decimal) : node,
  )
}

/** The type that user interfaces show: the announced one, else text of several lines if `uiConfig` asks for it. */
export function shownType(itemType: string, uiConfig: string): string {
  return itemType === '' && settings(uiConfig)?.get('multiline') === true ? 'multiline-string' : itemType
}

/** The values to choose from: `options`, else of an `enum` the `values` of its `uiConfig`. */
export function readOptions(reading: Reading, fields: Fields, itemType: string, uiConfig: string): string[] {
  const options = fields.get('options')
  if (!isAbsent(options)) return texts(below(reading, 'options'), options)
  if (itemType !== 'enum') return []
  const values = settings(uiConfig)?.get('values')
  if (Array.isArray(values)) return texts(below(reading, 'uiConfig', 'values'), values)
  warn(reading, 'an enum names no values; give it options: [...]')
  return []
}

function texts(reading: Reading, value: unknown): string[] {
  return itemsOf(reading, value).map((item, index) => readScalar(below(reading, index), item).written)
}

/** The settings of a `uiConfig` that is a JSON object, as far as it can be read: it is the user interface's own. */
function settings(uiConfig: string): Map<string, unknown> | undefined {
  if (!uiConfig.trimStart().startsWith('{')) return undefined
  try {
    const value = parseExactJson(uiConfig)
    return isObjectNode(value) ? new Map(Object.entries(value)) : undefined
  } catch {
    // Text of another format.
    return undefined
  }
}
