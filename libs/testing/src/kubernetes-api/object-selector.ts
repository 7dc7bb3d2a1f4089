import { isJsonObject } from '@wadi/fields/json-object.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { badRequest } from './api-failure.ts'
import type { KindDefinition } from './kind-definition.ts'

/** Returns true if an object is among those of a request. */
export type ObjectSelector = (object: Resource) => boolean

/** Reads the namespace and the selectors of a request. */
export function objectSelector(
  kind: KindDefinition,
  namespace: string | undefined,
  query: URLSearchParams,
): ObjectSelector {
  const matchesLabels = parseLabelSelector(query.get('labelSelector') ?? '')
  const matchesFields = fieldSelector(kind, query.get('fieldSelector') ?? '')
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    matchesLabels(object.metadata.labels) &&
    matchesFields(object)
}

function fieldSelector(kind: KindDefinition, text: string): ObjectSelector {
  const supported = ['metadata.name', 'metadata.namespace', ...kind.selectableFields]
  const requirements = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [, field = '', operator, value] = /^([^=!]+)(=|==|!=)([^=]*)$/.exec(part) ?? []
      if (!supported.includes(field)) throw badRequest(`field label not supported: ${field}`)
      return (object: Resource) => (valueAt(object, field) === value) === (operator !== '!=')
    })
  return (object) => requirements.every((matches) => matches(object))
}

function valueAt(object: Resource, field: string): unknown {
  let value: unknown = object
  for (const step of field.split('.')) value = isJsonObject(value) ? value[step] : undefined
  return value ?? ''
}
