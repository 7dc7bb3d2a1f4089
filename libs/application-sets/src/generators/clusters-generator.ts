import { FieldReader } from '@wadi/fields/field-reader.ts'
import type { ClusterSecret } from '../inputs/cluster-secrets.ts'
import { localCluster } from '../inputs/local-cluster.ts'
import { normalizedName } from '../params/normalized-name.ts'
import { readSelector } from '../params/parameter-selector.ts'
import type { ParameterSet, ParameterValues } from '../params/parameter-set.ts'
import { textMap } from '../params/text-map.ts'
import type { GeneratorRun } from './generator-run.ts'
import { withTemplatedValues } from './templated-values.ts'

/**
 * One parameter set for each cluster that the selector takes, by name, then the cluster that Argo CD runs in unless
 * there is a selector or a Secret has its address. With `flatList` one set whose `clusters` is the list of them.
 * @throws InvalidInputError
 */
export async function clustersParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const isFlat = reader.boolean(fields, 'flatList', '') ?? false
  reader.throwFindings()
  const selector = readSelector(fields['selector'], `${path}.selector`)
  const { clusters } = await run.inputs.clusters()
  const found = clusters
    .filter(({ labels }) => selector.matches(new Map(Object.entries(labels))))
    .map((cluster) => ({
      cluster: { server: cluster.server, project: cluster.project },
      origin: `${path}: cluster ${cluster.name}`,
      values: secretParameters(cluster, run.isGoTemplate),
    }))
  if (selector.isEmpty && clusters.every(({ server }) => server !== localCluster.server)) {
    const { name, server, project } = localCluster
    const values = { name, nameNormalized: name, server, project }
    found.push({ cluster: { server, project }, origin: `${path}: cluster ${name}`, values })
  }
  run.inputs.useClusters(found.map(({ cluster }) => cluster))
  const sets: ParameterSet[] = []
  for (const { origin, values } of found) {
    await run.pace()
    run.budget.add(sets, await withTemplatedValues({ origin, values }, fields['values'], run))
  }
  return isFlat ? [{ origin: path, values: { clusters: sets.map(({ values }) => values) } }] : sets
}

function secretParameters(cluster: ClusterSecret, isGoTemplate: boolean): ParameterValues {
  const { name, server, project, labels, annotations } = cluster
  const named = { name, nameNormalized: normalizedName(name), server, project }
  const maps = Object.entries({ labels, annotations }).filter(([, map]) => Object.keys(map).length > 0)
  if (isGoTemplate) {
    return { ...named, metadata: Object.fromEntries(maps.map(([kind, map]) => [kind, textMap(map)])) }
  }
  const flat = maps.flatMap(([kind, map]) =>
    Object.entries(map).map(([key, value]): [string, string] => [`metadata.${kind}.${key}`, value]),
  )
  return { ...named, ...Object.fromEntries(flat) }
}
