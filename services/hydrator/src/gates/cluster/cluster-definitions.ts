import { createHash } from 'node:crypto'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { ChosenPolicies } from '../operator-policies.ts'

/** A CustomResourceDefinition of the cluster; its text is elsewhere. */
export interface DefinitionFacts {
  /** The API group of its kind. */
  readonly group: string
  /** The name of its file among policies. */
  readonly file: string
  /** Equal for equal texts alone. */
  readonly digest: string
}

/** A CustomResourceDefinition of the cluster. */
export interface ClusterDefinition extends DefinitionFacts {
  /** JSON with what checks objects. */
  readonly text: string
}

/** Reads the CustomResourceDefinitions of a cluster. */
export async function readClusterDefinitions(
  store: Pick<ResourceStore, 'list'>,
): Promise<readonly ClusterDefinition[]> {
  const { items } = await store.list('CustomResourceDefinition')
  return items.map((object) => definitionOf(object, 'the cluster'))
}

/** Returns the parts of a CustomResourceDefinition that check objects. */
export function definitionOf(
  {
    apiVersion,
    kind,
    metadata,
    spec,
  }: { apiVersion: string; kind: string; metadata: unknown; spec?: unknown },
  place: string,
): ClusterDefinition {
  const name = textAt(metadata, 'name')
  const { group, names, scope, versions } = objectAt(spec)
  const text = canonicalJson({
    apiVersion,
    kind,
    metadata: { name },
    spec: { group, names, scope, versions },
  })
  const digest = createHash('sha256').update(text).digest('base64url')
  return { group: textAt(spec, 'group'), file: `CustomResourceDefinition/${name} of ${place}`, text, digest }
}

/** Returns the definitions together. */
export function chosenDefinitions(definitions: readonly DefinitionFacts[]): ChosenPolicies {
  const names = definitions.map(({ file, digest }) => [file, digest])
  return {
    id: createHash('sha256').update(JSON.stringify(names)).digest('base64url'),
    files: definitions.map(({ file }) => file),
    wantsFormer: false,
  }
}
