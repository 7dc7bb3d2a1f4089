import { setImmediate } from 'node:timers/promises'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import type { Path } from '@wadi/params/values/path.ts'
import { type Resolution, leavesOf, resolve } from '@wadi/params/resolve/resolve.ts'
import { type Located, type Provenance, isValueMap } from '@wadi/params/values/value.ts'
import type { PlannedChart } from '@wadi/zarf/plan/plan-chart.ts'
import type { PackagePlan } from '@wadi/zarf/plan/plan-package.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { resolveChartValues } from '../helm/parameters/helm-layers.ts'

/** Most characters of values files of charts that are read to find what a package's values override. */
const maxText = 8 * 1024 * 1024

/** The defaults below the values of a package, each file read once for any number of charts. */
interface Defaults {
  readonly charts: Map<string, Promise<Resolution>>
  readonly files: Map<string, { readonly text: string; readonly tree: Located }>
  textLeft: number
  readonly helmVersions: ReadonlyMap<string, string>
}

/**
 * Returns what decides a package: its values, those that each chart gets, its variables and its constants; none that is empty.
 * @param helmVersions those of the Helm that renders each chart, by the paths of the charts
 */
export async function packageParameters(
  tree: FileTree,
  plan: PackagePlan,
  helmVersions: ReadonlyMap<string, string>,
): Promise<ParameterTree[]> {
  const charts: ParameterTree[] = []
  const defaults: Defaults = { charts: new Map(), files: new Map(), textLeft: maxText, helmVersions }
  for (const item of plan.items) {
    if (item.kind !== 'chart' || isEmpty(item.resolution)) continue
    await setImmediate()
    const name = `values of chart "${item.name}" in component "${item.component}"`
    charts.push({
      name,
      resolution: overDefaults(item.resolution, await defaultsBelow(tree, item, defaults)),
    })
  }
  return [
    { name: `values of package "${plan.name}"`, resolution: plan.values },
    ...charts,
    { name: `variables of package "${plan.name}"`, resolution: plan.variableValues },
    { name: `constants of package "${plan.name}"`, resolution: plan.constantValues },
  ]
    .filter(({ resolution }) => !isEmpty(resolution))
    .map((each) => ({ ...each, hidden: plan.sensitiveTexts }))
}

function isEmpty({ tree }: Resolution): boolean {
  return !isValueMap(tree) || tree.size === 0
}

/** Returns the values of a chart that a package's values override, the strongest first: its values files, then its own defaults. */
async function defaultsBelow(
  tree: FileTree,
  { path, valueFiles }: PlannedChart,
  defaults: Defaults,
): Promise<Resolution[]> {
  try {
    const files = valueFiles.map((file) => ({
      rank: 0 as const,
      owner: 'tool' as const,
      kind: 'default' as const,
      label: 'values file of the chart',
      tree: readValues(file, defaults),
    }))
    if (path.endsWith('.tgz')) return [resolve(files, 'deep')]
    const own =
      defaults.charts.get(path) ?? resolveChartValues(tree, path, [], defaults.helmVersions.get(path) ?? '')
    defaults.charts.set(path, own)
    return [resolve(files, 'deep'), await own]
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof ResourceExhaustedError)) throw error
    // Helm, which reads them for the render, may take what is refused here.
    return []
  }
}

function readValues({ path, text }: PlannedChart['valueFiles'][number], defaults: Defaults): Located {
  const known = defaults.files.get(path)
  if (known?.text === text) return known.tree
  defaults.textLeft -= text.length
  if (defaults.textLeft < 0) {
    throw new ResourceExhaustedError(`the values files of charts have more than ${maxText} characters`)
  }
  const tree = readLocatedYaml(text, path, { rules: 'kubernetes' })
  defaults.files.set(path, { text, tree })
  return tree
}

/** The same values, which override what lies below them as well. */
function overDefaults(values: Resolution, below: readonly Resolution[]): Resolution {
  const why = (path: Path): Provenance | undefined => {
    const decided = values.why(path)
    if (decided === undefined) return undefined
    const others = below.flatMap((resolution) => resolution.why(path) ?? [])
    return {
      winner: decided.winner,
      overridden: [
        ...decided.overridden,
        ...others.flatMap(({ winner, overridden }) => [winner, ...overridden]),
      ],
    }
  }
  const { tree } = values
  return { tree, why, leaves: (isOf) => leavesOf(tree, why, { isOf }), located: () => values.located() }
}
