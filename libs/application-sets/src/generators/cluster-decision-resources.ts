import { mustBe } from '@wadi/fields/field-findings.ts'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { readSelector } from '../params/parameter-selector.ts'
import type { GeneratorRun } from './generator-run.ts'

/** Which decisions are wanted. */
export interface DecisionQuery {
  /** The name of the ConfigMap that says what the decisions are. */
  configMap: string
  /** The name of one object; empty for those that the selector takes. */
  name: string
  labelSelector: Record<string, unknown>
}

/** The decisions that objects hold in their status. */
export interface Decisions {
  /** The key of an entry that has the name of a cluster. */
  matchKey: string
  decisions: readonly { origin: string; entry: Record<string, unknown> }[]
}

const defaultListKey = 'clusters'

/**
 * Reads decisions from objects of any kind in the namespace of the control plane. A ConfigMap there names `apiVersion`,
 * `kind` and `matchKey` and the list in their status as `statusListKey`, which is `clusters` by default. Without a
 * `matchKey`, or where no status has the list, there are no decisions.
 * @throws FailedPreconditionError when the ConfigMap or all of the objects are not there
 */
export async function readDecisions(
  { configMap, name, labelSelector }: DecisionQuery,
  store: GeneratorRun['store'],
): Promise<Decisions> {
  const definition = await store.get('ConfigMap', controlPlaneNamespace, configMap)
  const at = `ConfigMap ${controlPlaneNamespace}/${configMap}`
  const { apiVersion = '', kind = '', matchKey = '', statusListKey = '' } = definition?.data ?? {}
  // Which other ConfigMaps there are is nobody's business.
  if (apiVersion === '' && kind === '') {
    throw new FailedPreconditionError(
      `error reading configMapRef: ${at} does not exist or defines no decisions`,
    )
  }
  if (apiVersion === '' || kind === '') {
    throw new FailedPreconditionError(
      `there is a problem with the apiVersion, kind or resourceName provided: ${at} must have apiVersion and kind`,
    )
  }
  const { matches } = readSelector(labelSelector, 'labelSelector')
  const { items } = await store.list(kind, { namespace: controlPlaneNamespace })
  const resources = items.filter(
    ({ metadata, ...resource }) =>
      resource.apiVersion === apiVersion &&
      (name === '' || metadata.name === name) &&
      matches(new Map(Object.entries(metadata.labels ?? {}))),
  )
  if (resources.length === 0) {
    throw new FailedPreconditionError(
      `no clusterDecisionResources found: no ${kind} of ${apiVersion} in the namespace ${controlPlaneNamespace} ` +
        (name === '' ? 'has such labels' : `is named ${name}`),
    )
  }
  const decisions = resources.flatMap((resource) => decisionsOf(resource, statusListKey || defaultListKey))
  return { matchKey, decisions: matchKey === '' ? [] : decisions }
}

function decisionsOf({ kind, metadata, status = {} }: Resource, listKey: string): Decisions['decisions'] {
  const list = Object.hasOwn(status, listKey) ? (status[listKey] ?? []) : []
  const at = `${kind} ${metadata.name}: status.${listKey}`
  if (!Array.isArray(list)) throw new FailedPreconditionError(`${at} ${mustBe('list', list)}`)
  return list.map((entry: unknown, index) => {
    if (!isJsonObject(entry)) throw new FailedPreconditionError(`${at}[${index}] ${mustBe('object', entry)}`)
    return { origin: `${at}[${index}]`, entry }
  })
}
