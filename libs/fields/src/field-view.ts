import { isJsonObject } from './json-object.ts'

/** The types of JSON and YAML, as errors name them. */
export type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object'

/** The access of readers to values: plain JSON, or values with their places in files. */
export interface FieldView<Node, ObjectNode extends Node> {
  typeOf: (node: Node) => ValueType
  isObject: (node: Node) => node is ObjectNode
  /** A string; undefined for a value of another type. */
  stringOf: (node: Node) => string | undefined
  /** A boolean; undefined for a value of another type. */
  booleanOf: (node: Node) => boolean | undefined
  /** The items of a list; undefined for a value of another type. */
  itemsOf: (node: Node) => readonly Node[] | undefined
  /** The value of a field; undefined when it is missing. */
  member: (object: ObjectNode, field: string) => Node | undefined
  keysOf: (object: ObjectNode) => Iterable<string>
}

/** Plain data, as JSON.parse and the YAML readers return it. */
export const jsonView: FieldView<unknown, Record<string, unknown>> = {
  typeOf: jsonType,
  isObject: isJsonObject,
  stringOf: (node) => (typeof node === 'string' ? node : undefined),
  booleanOf: (node) => (typeof node === 'boolean' ? node : undefined),
  itemsOf: (node) => (Array.isArray(node) ? node : undefined),
  member: (object, field) => (Object.hasOwn(object, field) ? object[field] : undefined),
  keysOf: Object.keys,
}

/** Returns the type of plain data; undefined is null. */
export function jsonType(value: unknown): ValueType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'object' ? 'object' : 'number'
}
