import { inferScalar, parseSetValues } from '@wadi/params/resolve/assign.ts'
import { jsonText } from '@wadi/params/values/value-json.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { repositoryPath } from '@wadi/file-trees/repository-path.ts'
import type { RenderSource, SourceOptions } from '@wadi/rendering/source/source.ts'
import { detectRenderer } from '@wadi/rendering/renderers/renderers.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { ValueFlags } from '../parameters/value-flags.ts'
import { readValuesFile } from '../values/values-file.ts'

/** The facts about clusters that only Helm reads. */
const clusterFlags = '--kube-version and --api-versions'

type HelmParameter = NonNullable<NonNullable<SourceOptions['helm']>['parameters']>[number]

/**
 * Returns a source with the values that the flags try out: those of a package or workload beside the source, those of a
 * chart as its options.
 * @throws CommandFailure for a source that takes none, a setting that is none or a file that cannot be read
 */
export async function withTrialValues(
  tree: FileTree,
  source: RenderSource,
  { values = [], set = [], setValues = [], kubeVersion = '', apiVersions = [] }: ValueFlags,
): Promise<RenderSource> {
  const path = repositoryPath(source.path, 'source path')
  const isTried = values.length > 0 || setValues.length > 0
  // The render reports a path that does not exist.
  const isForCharts = set.length > 0 || kubeVersion !== '' || apiVersions.length > 0
  if (!isTried && !isForCharts) return source
  if ((await followPath(tree, path))?.entry.kind !== 'directory') return source
  const renderer = await detectRenderer(tree, path)
  if (renderer?.trialValues === 'beside') {
    if (set.length > 0)
      throw new CommandFailure(`--set is for charts, not for ${path || '.'}: take --set-values`)
    if (isForCharts) throw new CommandFailure(`${clusterFlags} are for charts, not for ${path || '.'}`)
    const valuesFiles = await Promise.all(values.map((file) => readValuesFile(file)))
    return { ...source, trial: { valuesFiles, setValues } }
  }
  if (renderer?.trialValues !== 'options') {
    const what = renderer?.noun ?? 'rendered by nothing'
    if (!isTried && set.length === 0)
      throw new CommandFailure(`${path || '.'} is ${what}: ${clusterFlags} are for charts`)
    throw new CommandFailure(
      `${path || '.'} is ${what}, which takes no values: --values, --set-values and --set are for packages, workloads and charts`,
    )
  }
  const parameters = [...set.map(parameter), ...settingParameters(setValues)]
  const helm = {
    ...(values.length > 0 && { valueFiles: values }),
    ...(parameters.length > 0 && { parameters }),
    ...(kubeVersion !== '' && { kubeVersion }),
    ...(apiVersions.length > 0 && { apiVersions: apiVersions.flatMap((versions) => versions.split(',')) }),
  }
  const options = { ...source.options, helm: { ...source.options.helm, ...helm } }
  return { ...source, options, triesOptions: true }
}

function parameter(text: string): HelmParameter {
  const split = text.indexOf('=')
  if (split < 1) throw new CommandFailure(`--set takes name=value, not ${JSON.stringify(text)}`, 1)
  return { name: text.slice(0, split), value: text.slice(split + 1) }
}

/** Settings in the form of `--set`; what single quotes made a text stays one. */
function settingParameters(settings: readonly string[]): HelmParameter[] {
  return parseSetValues(settings).map(({ path, value }) => {
    const name = path.join('.')
    if (typeof value !== 'string') return { name, value: jsonText(value) }
    return { name, value, ...(typeof inferScalar(value) !== 'string' && { forceString: true }) }
  })
}
