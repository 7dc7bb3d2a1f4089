import { createHash } from 'node:crypto'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { wantsFormer } from '@wadi/gates/policies/wants-former.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { byKey } from '@wadi/order/by-name.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { type ChosenPolicies, maxPolicyBytes } from '../operator-policies.ts'
import type { ClusterPolicyKind } from './cluster-policy-kinds.ts'
import type { FollowedParameters } from './followed-parameters.ts'
import { withParameters } from './policies-with-parameters.ts'

/** The policies of a cluster, as files with what they judge by. */
export interface ClusterPolicies extends ChosenPolicies {
  readonly texts: ReadonlyMap<string, string>
}

const namespacesFile = 'Namespaces of the cluster'

const namespaceParametersFile = 'parameters in namespaces of the cluster'

/** The API server sets `namespaceSelector: {}` where there is none. */
const readsNamespaces = /"namespaceSelector":\{"|\bnamespaceObject\b/

/**
 * Reads the policies of a cluster with the parameters that their bindings choose. Of definitions there is what says how objects are addressed, and of
 * Namespaces, if a policy reads them, the labels and annotations.
 * @throws InvalidInputError above 4 MiB or 200 choices of parameters, UnavailableError if the parameters are not known yet
 */
export async function readClusterPolicies(
  store: Pick<ResourceStore, 'list'>,
  parameters: Pick<FollowedParameters, 'read'>,
): Promise<ClusterPolicies> {
  const list = async (kind: ClusterPolicyKind) => (await store.list(kind)).items
  const policies = await list('ValidatingAdmissionPolicy')
  const bindings = await list('ValidatingAdmissionPolicyBinding')
  const definitions = await list('CustomResourceDefinition')
  const judged = await withParameters({ policies, bindings, definitions }, parameters)
  const judging = judged.policies.map(fileOf)
  const namespaces = judging.some(([, text]) => readsNamespaces.test(text)) ? await list('Namespace') : []
  return clusterPolicies([
    ...judging,
    ['CustomResourceDefinitions of the cluster', listText(definitions.map(addressed))],
    [namespacesFile, listText(namespaces.map(labelled))],
    ['parameters of the cluster', itemsText(judged.parameters)],
    [namespaceParametersFile, itemsText(judged.ofNamespaces)],
  ])
}

function fileOf({
  apiVersion,
  kind,
  metadata: { name },
  spec,
}: Resource): readonly [file: string, text: string] {
  return [`${kind}/${name} of the cluster`, canonicalJson({ apiVersion, kind, metadata: { name }, spec })]
}

function addressed({ apiVersion, kind, metadata: { name }, spec }: Resource): object {
  const { group, scope, names } = objectAt(spec)
  const called = { kind: textAt(names, 'kind'), plural: textAt(names, 'plural') }
  return { apiVersion, kind, metadata: { name }, spec: { group, scope, names: called } }
}

function labelled({ apiVersion, kind, metadata: { name, labels, annotations } }: Resource): object {
  return { apiVersion, kind, metadata: { name, labels, annotations } }
}

function listText(items: readonly object[]): string {
  return itemsText(items.map(canonicalJson))
}

function itemsText(items: readonly string[]): string {
  return `{"apiVersion":"v1","items":[${items.join()}],"kind":"List"}`
}

function clusterPolicies(all: readonly (readonly [file: string, text: string])[]): ClusterPolicies {
  const files = all.toSorted(byKey)
  const bytes = files.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)
  if (bytes > maxPolicyBytes) {
    const reason = `the policies of the cluster, with the parameters and Namespaces that they read, have ${bytes} bytes, more than ${maxPolicyBytes}`
    throw new InvalidInputError(reason)
  }
  return {
    id: createHash('sha256').update(JSON.stringify(files)).digest('base64url'),
    files: files.map(([file]) => file),
    wantsFormer: wantsFormer(files.map(([file, text]) => ({ file, text }))),
    texts: new Map(files),
  }
}

/** Returns a file without what judges objects of other namespaces alone than those that are permitted. */
export function permittedText(
  file: string,
  text: string,
  isPermitted: (namespace: string) => boolean,
): string {
  if (file !== namespacesFile && file !== namespaceParametersFile) return text
  const { items }: { items: readonly Resource[] } = JSON.parse(text)
  return listText(
    items.filter(({ metadata: { name, namespace } }) =>
      isPermitted(file === namespacesFile ? name : (namespace ?? '')),
    ),
  )
}
