import { readFile } from 'node:fs/promises'
import type { ApiResource } from '@wadi/kubernetes/client/api-resource.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import type { Schema } from './structural-schema.ts'

/** The API's treatment of a kind's objects. */
export interface KindDefinition {
  readonly resource: ApiResource
  readonly isNamespaced: boolean
  readonly hasStatusSubresource: boolean
  /** True if changes outside the metadata are counted in `generation`. */
  readonly hasGeneration: boolean
  /** True if an update must name the version that it changes. */
  readonly requiresVersion: boolean
  /** Paths beside `metadata.name` and `metadata.namespace` that a field selector may name. */
  readonly selectableFields: readonly string[]
  /** Of custom resources; undefined for kinds that are stored as they come. */
  readonly schema: Schema | undefined
}

function builtIn(
  group: string,
  kind: string,
  plural: string,
  more: Partial<KindDefinition> = {},
): KindDefinition {
  return {
    resource: { group, version: 'v1', kind, plural },
    isNamespaced: true,
    hasStatusSubresource: false,
    hasGeneration: false,
    requiresVersion: false,
    selectableFields: [],
    schema: undefined,
    ...more,
  }
}

/** Kinds that every cluster has, as far as tests use them. */
export const builtInKinds: readonly KindDefinition[] = [
  builtIn('', 'Namespace', 'namespaces', { isNamespaced: false, hasStatusSubresource: true }),
  builtIn('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', {
    isNamespaced: false,
    hasGeneration: true,
  }),
  builtIn(
    'admissionregistration.k8s.io',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    { isNamespaced: false, hasGeneration: true },
  ),
  builtIn('apiextensions.k8s.io', 'CustomResourceDefinition', 'customresourcedefinitions', {
    isNamespaced: false,
    hasGeneration: true,
  }),
  builtIn('', 'Secret', 'secrets', { selectableFields: ['type'] }),
  builtIn('', 'ConfigMap', 'configmaps'),
  builtIn('events.k8s.io', 'Event', 'events'),
  builtIn('coordination.k8s.io', 'Lease', 'leases', { requiresVersion: true }),
  builtIn('discovery.k8s.io', 'EndpointSlice', 'endpointslices', { hasGeneration: true }),
]

/** The fields of a CustomResourceDefinition that are used. */
interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string
    readonly scope: 'Namespaced' | 'Cluster'
    readonly names: { readonly kind: string; readonly plural: string }
    readonly versions: readonly {
      readonly name: string
      readonly storage: boolean
      readonly subresources?: { readonly status?: object }
      readonly selectableFields?: readonly { readonly jsonPath: string }[]
      readonly schema: { readonly openAPIV3Schema: Schema }
    }[]
  }
}

/** Reads the kinds of a file of CustomResourceDefinitions. */
export async function readCustomKinds(file: string): Promise<KindDefinition[]> {
  const { documents } = readYaml(await readFile(file, 'utf8'), file)
  return documents.map(({ value }) => {
    const { spec } = value as unknown as CustomResourceDefinition
    const version = spec.versions.find(({ storage }) => storage)
    if (version === undefined) throw new Error(`${file}: no version of ${spec.names.kind} is stored`)
    return {
      resource: {
        group: spec.group,
        version: version.name,
        kind: spec.names.kind,
        plural: spec.names.plural,
      },
      isNamespaced: spec.scope === 'Namespaced',
      hasStatusSubresource: version.subresources?.status !== undefined,
      hasGeneration: true,
      requiresVersion: true,
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
      schema: version.schema.openAPIV3Schema,
    }
  })
}
