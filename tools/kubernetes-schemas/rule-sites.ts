import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import type { PublishedSchema } from './cut-schemas.ts'

/** A place in an object where a rule of a schema can be broken. */
export interface RuleSite {
  readonly rule: 'required' | 'enum'
  readonly definition: string
  readonly field: string
  /** As the API server writes it. */
  readonly path: string
  readonly valid: JsonValue | undefined
  /** Undefined for a missing field. */
  readonly invalid: JsonValue | undefined
  /** Returns the object with another value at the place, and without what excludes the place. */
  withValue(value: JsonValue | undefined): Manifest
}

type Definitions = Readonly<Record<string, PublishedSchema>>
type Path = readonly (string | number)[]

/** Returns the places of an object where it can break a requirement or an enumeration of its schema. */
export function ruleSites(
  object: Manifest,
  definitions: Definitions,
  enumerations: ReadonlyMap<string, readonly string[]>,
): RuleSite[] {
  const root = Object.keys(definitions).find((name) => isOfKind(definitions[name], object))
  if (root === undefined) return []
  const sites: RuleSite[] = []
  const visit = (value: JsonValue, schema: PublishedSchema, path: Path, focused: Manifest): void => {
    if (Array.isArray(value)) {
      const [item] = value
      if (item !== undefined && schema.items) visit(item, schema.items, [...path, 0], focused)
      return
    }
    const definition = schema.$ref?.replace('#/definitions/', '')
    if (definition === undefined || !isJsonObject(value)) return
    const { properties = {}, required = [] } = definitions[definition] ?? {}
    for (const [field, item] of Object.entries(value)) {
      const property = properties[field]
      if (property === undefined || (path.length === 0 && field === 'metadata')) continue
      const alone = withoutOthers(focused, path, field, properties)
      const place = [...path, field]
      const add = (rule: RuleSite['rule'], at: Path, valid: JsonValue, invalid?: JsonValue): void => {
        const withValue = (changed: JsonValue | undefined) => replaced(alone, at, changed)
        sites.push({ rule, definition, field, path: written(at), valid, invalid, withValue })
      }
      if (required.includes(field)) add('required', place, item)
      const [first] = enumerations.get(`${definition} ${field}`) ?? []
      if (first !== undefined) add('enum', Array.isArray(item) ? [...place, 0] : place, first, 'wadi')
      visit(item, property, place, alone)
    }
  }
  visit(object, { $ref: root }, [], object)
  return sites
}

function isOfKind(schema: PublishedSchema | undefined, { apiVersion, kind }: Manifest): boolean {
  return (schema?.['x-kubernetes-group-version-kind'] ?? []).some(
    (one) => one.kind === kind && [one.group, one.version].filter(Boolean).join('/') === apiVersion,
  )
}

/** Returns the object with one field alone of those of which one is chosen, such as the kinds of volumes: where most are objects. */
function withoutOthers(
  object: Manifest,
  path: Path,
  field: string,
  properties: Readonly<Record<string, PublishedSchema>>,
): Manifest {
  const chosen = Object.entries(properties).filter(([, { $ref }]) => $ref !== undefined)
  if (chosen.length < 3 || chosen.length < Object.keys(properties).length * 0.6) return object
  return chosen.reduce(
    (left, [other]) => (other === field ? left : replaced(left, [...path, other], undefined)),
    object,
  )
}

function replaced(object: Manifest, path: Path, value: JsonValue | undefined): Manifest {
  const changed = structuredClone(object)
  let parent: JsonValue = changed
  for (const key of path.slice(0, -1)) parent = member(parent, key)
  const last = path.at(-1) ?? ''
  if (Array.isArray(parent) && value !== undefined) parent[Number(last)] = value
  else if (isJsonObject(parent) && value !== undefined) parent[last] = value
  else if (isJsonObject(parent)) delete parent[last]
  return changed
}

function member(value: JsonValue, key: string | number): JsonValue {
  if (Array.isArray(value)) return value[Number(key)] ?? null
  return isJsonObject(value) ? (value[key] ?? null) : null
}

function written(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1)
}
