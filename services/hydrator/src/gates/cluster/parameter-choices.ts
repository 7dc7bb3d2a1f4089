import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { kindResources } from '@wadi/gates/policies/kind-resources.ts'
import type { ApiResource } from '@wadi/kubernetes/client/api-resource.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ParameterChoice } from './followed-parameters.ts'

/** The kind of the parameters of a policy. */
export interface ParameterKind {
  readonly apiVersion: string
  readonly kind: string
  /** Undefined if the cluster has no such kind. */
  readonly resource: ApiResource | undefined
  readonly isNamespaced: boolean
}

/**
 * Returns the kind of the parameters of a policy; undefined for one without.
 * @param definitions the CustomResourceDefinitions of the cluster
 */
export function parameterKinds(
  definitions: readonly Resource[],
): (policy: Resource) => ParameterKind | undefined {
  const resourceOf = kindResources(definitions)
  return ({ spec }) => {
    if (spec?.['paramKind'] === undefined) return undefined
    const [apiVersion, kind] = [textAt(spec, 'paramKind', 'apiVersion'), textAt(spec, 'paramKind', 'kind')]
    const [first = '', second] = apiVersion.split('/')
    const [group, version] = second === undefined ? ['', first] : [first, second]
    const { resource: plural, scope } = resourceOf(group, kind)
    const resource = scope === undefined ? undefined : { group, version, kind, plural }
    return { apiVersion, kind, resource, isNamespaced: scope === 'Namespaced' }
  }
}

/** Returns the parameters of a kind that a binding chooses; undefined if it chooses none. */
export function parameterChoice(
  { resource, isNamespaced }: ParameterKind,
  { spec }: Resource,
): ParameterChoice | undefined {
  if (resource === undefined || spec?.['paramRef'] === undefined) return undefined
  const reference = objectAt(spec, 'paramRef')
  const [namespace, name] = [textAt(reference, 'namespace'), textAt(reference, 'name')]
  const labelSelector = selectorText(reference['selector'])
  return {
    resource,
    ...(isNamespaced && namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    ...(labelSelector !== '' && { labelSelector }),
  }
}

/** Returns a selector as lists of the Kubernetes API take it. */
function selectorText(selector: unknown): string {
  const matchLabels = objectAt(selector, 'matchLabels')
  const labels = Object.keys(matchLabels).map((key) => `${key}=${textAt(matchLabels, key)}`)
  const expressions = listAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key')
    const values = listAt(expression, 'values').join(',')
    switch (textAt(expression, 'operator')) {
      case 'In':
        return `${key} in (${values})`
      case 'NotIn':
        return `${key} notin (${values})`
      case 'Exists':
        return key
      default:
        return `!${key}`
    }
  })
  return [...labels, ...expressions].join(',')
}
