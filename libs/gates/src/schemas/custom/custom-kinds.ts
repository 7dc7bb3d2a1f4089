import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { readStructuralSchema, type StructuralSchema } from './structural-schema.ts'

/** A kind that a CustomResourceDefinition defines. */
export interface CustomKind {
  /** The versions that the API server has, each with its schema, which is read when it is first used. */
  readonly versions: ReadonlyMap<string, () => StructuralSchema | undefined>
}

const definedKinds = new WeakMap<Manifest, NamedKind | undefined>()

interface NamedKind extends CustomKind {
  /** `group kind`. */
  readonly name: string
}

/**
 * Returns the kinds that CustomResourceDefinitions among objects define, by `group kind`. A definition is read once; later ones of the
 * same kind apply instead of earlier ones.
 */
export function customKinds(objects: readonly Manifest[]): Map<string, CustomKind> {
  const kinds = new Map<string, CustomKind>()
  for (const object of objects) {
    if (object['kind'] !== 'CustomResourceDefinition') continue
    const kind = definedKinds.getOrInsertComputed(object, readDefinition)
    if (kind !== undefined) kinds.set(kind.name, kind)
  }
  return kinds
}

function readDefinition({ apiVersion, spec }: Manifest): NamedKind | undefined {
  if (apiVersion !== 'apiextensions.k8s.io/v1' || !isJsonObject(spec)) return undefined
  const { group, names, versions } = spec
  const kind = isJsonObject(names) ? names['kind'] : undefined
  if (typeof group !== 'string' || typeof kind !== 'string' || !Array.isArray(versions)) return undefined
  return { name: `${group} ${kind}`, versions: new Map(versions.flatMap(readVersion)) }
}

function readVersion(version: JsonValue): [string, () => StructuralSchema | undefined][] {
  if (!isJsonObject(version) || version['served'] !== true) return []
  const { name, schema } = version
  if (typeof name !== 'string') return []
  let known: { readonly schema: StructuralSchema | undefined } | undefined
  const read = (): StructuralSchema | undefined =>
    isJsonObject(schema) ? readStructuralSchema(schema['openAPIV3Schema']) : undefined
  return [[name, () => (known ??= { schema: read() }).schema]]
}
