import { mustBe } from '@wadi/fields/field-findings.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { invalidField } from '../invalid-field.ts'
import type { GuardedCluster } from '../inputs/input-guard.ts'
import { localCluster } from '../inputs/local-cluster.ts'
import { goText } from '../params/go-text.ts'
import { readSelector } from '../params/parameter-selector.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { textMap } from '../params/text-map.ts'
import { type DecisionQuery, readDecisions } from './cluster-decision-resources.ts'
import type { GeneratorRun } from './generator-run.ts'

/**
 * One parameter set for each cluster that other objects decided for, as PlacementDecisions do: `name` and `server` of the
 * cluster, then what the decision says as texts, which may replace both, and `values` as they are written. A decision
 * for a cluster that is not known makes nothing.
 * @throws PermissionDeniedError unless every cluster may be seen; InvalidInputError, FailedPreconditionError
 */
export async function clusterDecisionParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const query = readQuery(fields, path)
  const values = readValues(fields, path)
  const { inputs, store } = run
  const { matchKey, decisions } = await inputs.answer({
    key: { kind: run.kind, subjects: [query] },
    ask: async () => readDecisions(query, store),
  })
  const clusters = await clustersByName(run)
  const found = decisions.flatMap(({ origin, entry }) => {
    const wanted = Object.hasOwn(entry, matchKey) ? entry[matchKey] : undefined
    const cluster = typeof wanted === 'string' ? clusters.get(wanted) : undefined
    return cluster ? [{ origin, entry, cluster }] : []
  })
  inputs.useClusters(found.map(({ cluster }) => cluster))
  const sets: ParameterSet[] = []
  for (const { origin, entry, cluster } of found) {
    await run.pace()
    const texts = Object.entries(entry).map(([key, value]): [string, string] => [key, goText(value)])
    const { name, server } = cluster
    const decided = { name, server, ...Object.fromEntries(texts) }
    run.budget.add(sets, {
      origin: `${path}: ${origin}`,
      values: { ...decided, ...addedValues(values, run.isGoTemplate) },
    })
  }
  return sets
}

function readQuery(fields: Record<string, unknown>, path: string): DecisionQuery {
  const reader = new FieldReader(path)
  const configMap = reader.requiredString(fields, 'configMapRef', '')
  const name = reader.string(fields, 'name', '') ?? ''
  const labelSelector = reader.object(fields, 'labelSelector', '') ?? {}
  reader.throwFindings()
  readSelector(labelSelector, `${path}.labelSelector`)
  const { matchLabels = null, matchExpressions = null } = labelSelector
  const hasSelector = matchLabels !== null || matchExpressions !== null
  if ((name === '') === !hasSelector) {
    throw new InvalidInputError(
      'there is a problem with the definition of the ClusterDecisionResource generator: give name or labelSelector, ' +
        'and not both',
    )
  }
  return { configMap, name, labelSelector }
}

function readValues(fields: Record<string, unknown>, path: string): [string, string][] {
  const values = fields['values'] ?? {}
  if (!isJsonObject(values)) throw invalidField(`${path}.values`, mustBe('object', values))
  return Object.entries(values).map(([key, value]) => {
    if (typeof value !== 'string') throw invalidField(`${path}.values.${key}`, mustBe('string', value))
    return [key, value]
  })
}

function addedValues(values: readonly [string, string][], isGoTemplate: boolean): Record<string, unknown> {
  if (values.length === 0) return {}
  return isGoTemplate
    ? { values: textMap(Object.fromEntries(values)) }
    : Object.fromEntries(values.map(([key, value]) => [`values.${key}`, value]))
}

/** The known clusters, that which Argo CD runs in among them unless a Secret has its address. */
async function clustersByName({
  inputs,
}: Pick<GeneratorRun, 'inputs'>): Promise<Map<string, GuardedCluster & { name: string }>> {
  const { clusters } = await inputs.clusters()
  const hasLocal = clusters.some(({ server }) => server === localCluster.server)
  return new Map(
    (hasLocal ? clusters : [localCluster, ...clusters]).map((cluster) => [cluster.name, cluster]),
  )
}
