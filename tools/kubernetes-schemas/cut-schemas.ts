import type { BuiltInSchema, KubernetesSchemas } from '@wadi/gates/schemas/kubernetes/kubernetes-schemas.ts'
import type { EnforcedRules } from './enforced-rules.ts'
import { readEnumerations } from './read-enumerations.ts'

/** A schema of Kubernetes' `swagger.json`, as far as it is used. */
export interface PublishedSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, PublishedSchema>>
  readonly required?: readonly string[]
  readonly items?: PublishedSchema
  readonly additionalProperties?: PublishedSchema
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[]
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

interface PublishedApi {
  readonly definitions: Readonly<Record<string, PublishedSchema>>
  readonly paths: Readonly<
    Record<string, { readonly post?: { readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind } }>
  >
}

/** The definitions that are published as objects, and that take any value. */
const anyValue = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
])

const referencePrefix = '#/definitions/'

/**
 * Returns what the gate needs of a version's schemas: the kinds that can be created and the definitions that they reach, without
 * descriptions, and with those requirements and enumerations alone that the API server enforces.
 * @param swagger `api/openapi-spec/swagger.json`
 * @param generated `pkg/generated/openapi/zz_generated.openapi.go`, which alone has the enumerations
 */
export function cutKubernetesSchemas(
  swagger: string,
  generated: string,
  rules: EnforcedRules,
): KubernetesSchemas {
  const { definitions, paths }: PublishedApi = JSON.parse(swagger)
  const enumerations = readEnumerations(generated)
  const kinds = createdKinds(definitions, paths)
  const cut: Record<string, BuiltInSchema> = {}
  const add = (name: string): void => {
    const published = definitions[name]
    if (published === undefined || cut[name] !== undefined) return
    cut[name] = cutDefinition(name, published, rules, enumerations)
    for (const reference of references(published)) add(reference)
  }
  for (const name of Object.values(kinds)) add(name)
  return { kinds: sorted(kinds), definitions: sorted(cut) }
}

/** Returns the definition of each kind, by `apiVersion kind`. */
function createdKinds(
  definitions: PublishedApi['definitions'],
  paths: PublishedApi['paths'],
): Record<string, string> {
  const name = ({ group, version, kind }: GroupVersionKind): string =>
    `${group === '' ? '' : `${group}/`}${version} ${kind}`
  const created = new Set(
    Object.values(paths).flatMap(({ post }) => {
      const kind = post?.['x-kubernetes-group-version-kind']
      return kind === undefined ? [] : [name(kind)]
    }),
  )
  return Object.fromEntries(
    Object.entries(definitions).flatMap(([definition, schema]) =>
      (schema['x-kubernetes-group-version-kind'] ?? [])
        .map(name)
        .filter((kind) => created.has(kind))
        .map((kind) => [kind, definition] as const),
    ),
  )
}

function cutDefinition(
  name: string,
  published: PublishedSchema,
  rules: EnforcedRules,
  enumerations: ReadonlyMap<string, readonly string[]>,
): BuiltInSchema {
  if (anyValue.has(name)) return {}
  const { type, properties = type === 'object' ? {} : undefined } = published
  if (properties === undefined) return cutSchema(published, undefined)
  const required = (published.required ?? []).filter((field) => rules.required.has(`${name} ${field}`))
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([field, schema]) => {
        const key = `${name} ${field}`
        const values = rules.enumerations.has(key) ? enumerations.get(key) : undefined
        const empty = rules.enumerationsWithoutEmpty.has(key) ? [] : ['']
        return [field, cutSchema(schema, values && [...values, ...empty])]
      }),
    ),
    ...(required.length > 0 && { required: required.toSorted() }),
  }
}

/** @param values of the enumeration, which is that of the items or values where there are some */
function cutSchema(
  { $ref, type, format, items, additionalProperties }: PublishedSchema,
  values: readonly string[] | undefined,
): BuiltInSchema {
  if ($ref !== undefined) return { $ref: $ref.slice(referencePrefix.length) }
  if (items !== undefined) return { type: 'array', items: cutSchema(items, values) }
  if (additionalProperties !== undefined) {
    return { type: 'object', additionalProperties: cutSchema(additionalProperties, values) }
  }
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(values !== undefined && { enum: values }),
  }
}

function references(schema: PublishedSchema): string[] {
  const { $ref, items, additionalProperties, properties } = schema
  const own = $ref === undefined ? [] : [$ref.slice(referencePrefix.length)]
  const inner = [items, additionalProperties, ...Object.values(properties ?? {})]
  return [...own, ...inner.flatMap((one) => (one === undefined ? [] : references(one)))]
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
