import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'

interface ManagedFields {
  manager: string
  operation: 'Update'
  apiVersion: string
  time: string
  fieldsType: 'FieldsV1'
  fieldsV1: FieldSet
}

interface FieldSet {
  [field: `f:${string}`]: FieldSet
}

type Leaf = readonly string[]

/** Returns an object with who wrote its fields last, as a server notes it of updates: those that differ from before are the manager's. */
export function withManagedFields(previous: Resource | undefined, next: Resource, manager: string): Resource {
  const changed = changedLeaves(content(previous), content(next))
  const known = (previous?.metadata['managedFields'] ?? []) as ManagedFields[]
  if (changed.length === 0) return withEntries(next, known)
  const others = known
    .filter((entry) => entry.manager !== manager)
    .map((entry) => ({ ...entry, fieldsV1: changed.reduce(without, entry.fieldsV1) }))
    .filter(({ fieldsV1 }) => Object.keys(fieldsV1).length > 0)
  const present = changed.filter((leaf) => valueAt(next, leaf) !== undefined)
  const before = known.find((entry) => entry.manager === manager)?.fieldsV1 ?? {}
  const kept = changed.reduce(without, before)
  const own: ManagedFields = {
    manager,
    operation: 'Update',
    apiVersion: next.apiVersion,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    fieldsType: 'FieldsV1',
    fieldsV1: present.reduce(withLeaf, kept),
  }
  return withEntries(next, [...others, own])
}

function withEntries(object: Resource, managedFields: readonly ManagedFields[]): Resource {
  return { ...object, metadata: { ...object.metadata, ...(managedFields.length > 0 && { managedFields }) } }
}

function content(object: Resource | undefined): Record<string, unknown> {
  if (object === undefined) return {}
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...fields } = object
  return fields
}

/** The paths at which two trees differ, down to what is not an object. */
function changedLeaves(before: unknown, after: unknown, at: Leaf = []): Leaf[] {
  if (isDeepStrictEqual(before, after)) return []
  const isTree = isJsonObject(before) || isJsonObject(after)
  if (!isTree) return [at]
  const [left, right] = [before, after].map((value) => (isJsonObject(value) ? value : {}))
  const fields = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])
  return [...fields].flatMap((field) => changedLeaves(left?.[field], right?.[field], [...at, field]))
}

function valueAt(object: Resource, leaf: Leaf): unknown {
  return leaf.reduce<unknown>((value, field) => (isJsonObject(value) ? value[field] : undefined), object)
}

function withLeaf(set: FieldSet, [field, ...rest]: Leaf): FieldSet {
  if (field === undefined) return set
  return { ...set, [`f:${field}`]: withLeaf(set[`f:${field}`] ?? {}, rest) }
}

function without(set: FieldSet, [field, ...rest]: Leaf): FieldSet {
  const below = field === undefined ? undefined : set[`f:${field}`]
  if (below === undefined) return set
  const { [`f:${field}` as const]: _, ...others } = set
  const left = rest.length === 0 ? {} : without(below, rest)
  return Object.keys(left).length === 0 ? others : { ...others, [`f:${field}`]: left }
}
