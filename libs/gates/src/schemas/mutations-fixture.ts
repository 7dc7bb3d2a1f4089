import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'

/** An object with one thing changed. */
export interface Mutation {
  /** `unknown`, `type`, `null`, `missing` or `empty`. */
  readonly kind: string
  /** The field that is changed, as findings have it. */
  readonly field: string
  readonly object: Manifest
}

type Path = readonly (string | number)[]

/** Without these an object cannot be sent. */
const kept = ['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace']

/** Returns the object with an unknown field at each level, and with each value of another type, null, missing and empty. */
export function mutationsOf(object: Manifest): Mutation[] {
  const mutations: Mutation[] = []
  const add = (kind: string, path: Path, value: JsonValue | undefined): void => {
    const field = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
    if (!kept.includes(field.slice(1))) {
      mutations.push({ kind, field: field.slice(1), object: replaced(object, path, value) })
    }
  }
  const visit = (value: JsonValue, path: Path): void => {
    if (path.length > 0) {
      for (const other of otherTypes(value)) add('type', path, other)
      add('null', path, null)
      if (typeof path.at(-1) === 'string') add('missing', path, undefined)
    }
    if (typeof value === 'string') add('empty', path, '')
    if (Array.isArray(value)) {
      add('empty', path, [])
      for (const [index, item] of value.entries()) visit(item, [...path, index])
    } else if (isJsonObject(value)) {
      add('unknown', [...path, 'unknownField'], 1)
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
    }
  }
  visit(object, [])
  return mutations
}

function otherTypes(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return [5, true, { a: 'b' }]
  if (typeof value === 'number') return ['text', 1.5, true]
  if (typeof value === 'boolean') return ['true', 1]
  return Array.isArray(value) ? [{ a: 'b' }, 'text'] : ['text', ['a']]
}

function replaced(value: JsonValue, path: Path, changed: JsonValue | undefined): Manifest {
  const inside = (current: JsonValue, [key, ...rest]: Path): JsonValue => {
    const next = (item: JsonValue): JsonValue | undefined =>
      rest.length === 0 ? changed : inside(item, rest)
    if (Array.isArray(current))
      return current.map((item, index) => (index === key ? (next(item) ?? null) : item))
    if (!isJsonObject(current) || typeof key !== 'string') return current
    const { [key]: item = null, ...others } = current
    const replacement = next(item)
    return replacement === undefined ? others : { ...others, [key]: replacement }
  }
  const result = inside(value, path)
  return isJsonObject(result) ? result : {}
}
