import { isList } from '@wadi/params/values/value-tree.ts'
import { isValueMap, type Value } from '@wadi/params/values/value.ts'
import type { ValueForm } from '../../../parameters/stored-values/value-text.ts'

/** A schema's description of a value. */
export interface SchemaHint {
  readonly path: readonly string[]
  readonly title: string
  readonly description: string
  /** The only values, as text. */
  readonly options: readonly string[]
  readonly required: boolean
  /** Undefined when the schema names no one type. */
  readonly form: ValueForm | undefined
}

/** Most values that are looked for in a schema, and deepest one. */
const maxHints = 5000
const maxDepth = 50

/** Returns the descriptions of a JSON Schema's properties, objects before their contents; references are not followed. */
export function schemaHints(schema: Value | undefined): SchemaHint[] {
  const hints: SchemaHint[] = []
  const visit = (object: Value | undefined, path: readonly string[]): void => {
    const properties = member(object, 'properties')
    if (!isValueMap(properties) || path.length === maxDepth) return
    const required = member(object, 'required')
    for (const [key, property] of properties) {
      if (hints.length === maxHints) return
      hints.push(hintOf([...path, key], property, isList(required) && required.includes(key)))
      visit(property, [...path, key])
    }
  }
  visit(schema, [])
  return hints
}

function hintOf(path: readonly string[], property: Value, required: boolean): SchemaHint {
  const values = member(property, 'enum')
  const options = isList(values) ? values.filter((value) => typeof value === 'string') : []
  const isEnum = isList(values) && options.length === values.length
  return {
    path,
    title: textOf(member(property, 'title')),
    description: textOf(member(property, 'description')),
    options: isEnum ? options : [],
    required,
    form: isEnum ? { type: 'enum', collection: 'string' } : formOfType(property),
  }
}

const scalarTypes = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
])

function formOfType(property: Value): ValueForm | undefined {
  const type = textOf(member(property, 'type'))
  const scalar = scalarTypes.get(type)
  if (scalar !== undefined) return { type: scalar, collection: 'string' }
  if (type !== 'array') return undefined
  const item = scalarTypes.get(textOf(member(member(property, 'items'), 'type')))
  return item === undefined ? { type: 'yaml', collection: 'string' } : { type: item, collection: 'array' }
}

function member(value: Value | undefined, key: string): Value | undefined {
  return isValueMap(value) ? value.get(key) : undefined
}

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : ''
}
