import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { ParameterTree } from '@wadi/params/explain.ts'
import { readLocatedYaml } from '@wadi/params/located-yaml.ts'
import type { Path } from '@wadi/params/path.ts'
import { type Resolution, leavesOf, resolve } from '@wadi/params/resolve.ts'
import { type Provenance, isValueMap } from '@wadi/params/value.ts'
import type { PlannedChart } from '@wadi/zarf/plan-chart.ts'
import type { PackagePlan } from '@wadi/zarf/plan-package.ts'
import type { FileTree } from './file-tree.ts'
import { resolveChartValues } from './parameters/helm-layers.ts'

/** What decides a package: its values, those that each chart gets, its variables and its constants; none that is empty. */
export async function packageParameters(tree: FileTree, plan: PackagePlan): Promise<ParameterTree[]> {
  const charts: ParameterTree[] = []
  for (const item of plan.items) {
    if (item.kind !== 'chart' || isEmpty(item.resolution)) continue
    const name = `values of chart "${item.name}" in component "${item.component}"`
    charts.push({ name, resolution: overDefaults(item.resolution, await defaultsBelow(tree, item)) })
  }
  return [
    { name: `values of package "${plan.name}"`, resolution: plan.values },
    ...charts,
    { name: `variables of package "${plan.name}"`, resolution: plan.variableValues },
    { name: `constants of package "${plan.name}"`, resolution: plan.constantValues },
  ].filter(({ resolution }) => !isEmpty(resolution))
}

function isEmpty({ tree }: Resolution): boolean {
  return !isValueMap(tree) || tree.size === 0
}

/** What a package's values win over in a chart, the strongest first: its values files, then its own defaults. */
async function defaultsBelow(tree: FileTree, { path, valueFiles }: PlannedChart): Promise<Resolution[]> {
  try {
    const files = valueFiles.map((file) => ({
      rank: 0 as const,
      owner: 'tool' as const,
      kind: 'default' as const,
      label: 'values file of the chart',
      tree: readLocatedYaml(file.text, file.path, { rules: 'kubernetes' }),
    }))
    const isPacked = path.endsWith('.tgz')
    return [resolve(files, 'deep'), ...(isPacked ? [] : [await resolveChartValues(tree, path, [])])]
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ResourceExhaustedError)) throw error
    // Helm, which reads them for the render, may take what is refused here.
    return []
  }
}

/** The same values, which beat what lies below them as well. */
function overDefaults(values: Resolution, below: readonly Resolution[]): Resolution {
  const why = (path: Path): Provenance | undefined => {
    const decided = values.why(path)
    if (decided === undefined) return undefined
    const others = below.flatMap((resolution) => resolution.why(path) ?? [])
    return {
      winner: decided.winner,
      beaten: [...decided.beaten, ...others.flatMap(({ winner, beaten }) => [winner, ...beaten])],
    }
  }
  const { tree } = values
  return { tree, why, leaves: () => leavesOf(tree, why, Infinity), located: () => values.located() }
}
