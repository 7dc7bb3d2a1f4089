import { fieldOfWrongType, unknownField } from './field-findings.ts'
import type { FieldFinding } from './field-findings.ts'
import type { FieldView, ValueType } from './field-view.ts'

/**
 * Reads fields of objects by their types, and reports what is wrong instead of throwing it. A field that is null is treated as
 * missing, as in Kubernetes. In every method `at` is the path of the object with a dot behind it, or empty for the root.
 */
export class TypedFields<Node, ObjectNode extends Node> {
  readonly #view: FieldView<Node, ObjectNode>
  readonly #report: (finding: FieldFinding<Node>) => void

  constructor(view: FieldView<Node, ObjectNode>, report: (finding: FieldFinding<Node>) => void) {
    this.#view = view
    this.#report = report
  }

  /** Returns a field of any type, undefined when it is missing or null. */
  any(object: ObjectNode, field: string): Node | undefined {
    const node = this.#view.member(object, field)
    return node === undefined || this.#view.typeOf(node) === 'null' ? undefined : node
  }

  /** Returns a string, undefined when it is missing; another type is an error. */
  string(object: ObjectNode, field: string, at: string): string | undefined {
    return this.#typed(object, field, at, 'string', (node) => this.#view.stringOf(node))
  }

  /** Returns a string that must be there and not empty; the empty string when it is not. */
  requiredString(object: ObjectNode, field: string, at: string): string {
    const text = this.string(object, field, at) ?? ''
    const node = this.any(object, field)
    if (text === '' && (node === undefined || this.#view.stringOf(node) === '')) {
      const path = `${at}${field}`
      this.#report({ path, message: `${path} is required`, code: 'missing', node: node ?? object })
    }
    return text
  }

  /** Returns a boolean, undefined when it is missing; another type is an error. */
  boolean(object: ObjectNode, field: string, at: string): boolean | undefined {
    return this.#typed(object, field, at, 'boolean', (node) => this.#view.booleanOf(node))
  }

  /** Returns an object, undefined when it is missing; another type is an error. */
  object(object: ObjectNode, field: string, at: string): ObjectNode | undefined {
    const { isObject } = this.#view
    return this.#typed(object, field, at, 'object', (node) => (isObject(node) ? node : undefined))
  }

  /** Returns the items of a list, none when it is missing; another type is an error. */
  list(object: ObjectNode, field: string, at: string): readonly Node[] {
    return this.#typed(object, field, at, 'list', (node) => this.#view.itemsOf(node)) ?? []
  }

  /** Returns the items of a list of objects with their paths; an item of another type is an error and left out. */
  objects(object: ObjectNode, field: string, at: string): { item: ObjectNode; path: string }[] {
    return this.list(object, field, at).flatMap((item, index) => {
      const path = `${at}${field}[${index}]`
      return this.isObject(item, path) ? [{ item, path }] : []
    })
  }

  /** Returns the items of a list of strings; an item of another type is an error and left out. */
  strings(object: ObjectNode, field: string, at: string): string[] {
    return this.list(object, field, at).flatMap((item, index) => {
      const text = this.#view.stringOf(item)
      if (text === undefined) this.wrongType(item, `${at}${field}[${index}]`, 'string')
      return text ?? []
    })
  }

  /** Returns an object of strings; a member of another type is an error and left out. */
  stringMap(object: ObjectNode, field: string, at: string): ReadonlyMap<string, string> {
    const map = this.object(object, field, at)
    const strings = new Map<string, string>()
    if (map === undefined) return strings
    for (const key of this.#view.keysOf(map)) {
      const member = this.#view.member(map, key)
      const text = member === undefined ? undefined : this.#view.stringOf(member)
      if (text !== undefined) strings.set(key, text)
      else if (member !== undefined) this.wrongType(member, `${at}${field}.${key}`, 'string')
    }
    return strings
  }

  /** Returns whether a value is an object; another type is an error at its `path`. */
  isObject(node: Node, path: string): node is ObjectNode {
    const { isObject } = this.#view
    if (isObject(node)) return true
    this.wrongType(node, path, 'object')
    return false
  }

  /** Reports every field of an object that is not known. */
  known(object: ObjectNode, known: readonly string[], at: string): void {
    for (const field of this.#view.keysOf(object)) {
      if (known.includes(field)) continue
      const path = `${at}${field}`
      const node = this.#view.member(object, field)
      this.#report({ path, message: unknownField(path, field, known), code: 'unknown', node })
    }
  }

  /** Reports a value that has the right type and is wrong all the same; the message names its path. */
  wrong(path: string, message: string, node?: Node): void {
    this.#report({ path, message, code: 'value', node })
  }

  /** Reports a value of another type than it must be. */
  wrongType(node: Node, path: string, wanted: ValueType): void {
    this.#report({
      path,
      message: fieldOfWrongType(path, wanted, this.#view.typeOf(node)),
      code: 'type',
      node,
    })
  }

  #typed<Value>(
    object: ObjectNode,
    field: string,
    at: string,
    wanted: ValueType,
    valueOf: (node: Node) => Value | undefined,
  ): Value | undefined {
    const node = this.any(object, field)
    if (node === undefined) return undefined
    const value = valueOf(node)
    if (value === undefined) this.wrongType(node, `${at}${field}`, wanted)
    return value
  }
}
