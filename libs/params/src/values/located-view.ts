import type { FieldView, ValueType } from '@wadi/fields/field-view.ts'
import { partOf } from './located.ts'
import { isList } from './value-tree.ts'
import { isValueMap } from './value.ts'
import type { Located, Value } from './value.ts'

/** Located values as readers of fields look into them; each part keeps its place. */
export const locatedView: FieldView<Located, Located> = {
  typeOf: ({ value }) => valueType(value),
  isObject: (node): node is Located => isValueMap(node.value),
  stringOf: ({ value }) => (typeof value === 'string' ? value : undefined),
  booleanOf: ({ value }) => (typeof value === 'boolean' ? value : undefined),
  itemsOf: (node) =>
    isList(node.value)
      ? node.value.map((value, index) => partOf(node, String(index)) ?? { value, at: node.at })
      : undefined,
  member: (object, field) => (isValueMap(object.value) ? partOf(object, field) : undefined),
  keysOf: ({ value }) => (isValueMap(value) ? value.keys() : []),
}

function valueType(value: Value): ValueType {
  if (value === null) return 'null'
  if (isValueMap(value)) return 'object'
  if (isList(value)) return 'list'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'string' : 'number'
}
