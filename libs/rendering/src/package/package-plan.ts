import { setImmediate } from 'node:timers/promises'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { filesFolder } from '@wadi/hydration/files-folder.ts'
import { isMapping } from '@wadi/manifests/manifest.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { formatFinding } from '@wadi/zarf/lint/finding.ts'
import type { PlannedChart } from '@wadi/zarf/plan/plan-chart.ts'
import type { PlannedKustomization } from '@wadi/zarf/plan/plan-manifests.ts'
import {
  type PackagePlan,
  type PlanOptions,
  type PlannedItem,
  planPackage,
} from '@wadi/zarf/plan/plan-package.ts'
import { integerParameters } from '../helm/chart-integers.ts'
import {
  type CompositePlan,
  type PlannedComposite,
  distinctFiles,
  inPart,
} from '../composite/composite-plan.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { followPath } from '../tree/follow-links.ts'
import { type HelmPlan, effectiveParameters, planHelm } from '../helm/helm-inputs.ts'
import { InputCollector } from '../tree/input-collector.ts'
import { planKustomize } from '../kustomize/kustomize-plan.ts'
import { packageActions } from './package-actions.ts'
import { packageParameters } from './package-parameters.ts'
import { packageTree } from './package-tree.ts'
import type { ManifestPlacement } from '../manifest-job.ts'
import { childPath } from '../tree/repository-path.ts'
import type { HelmOptions } from '../source.ts'
import type { HelmPart, KustomizePart, SourcePart } from '../composite/source-part.ts'

/** Whether a directory is that of a package. */
export async function isPackage(tree: FileTree, path: string): Promise<boolean> {
  return (await followPath(tree, childPath(path, 'zarf.yaml'))) !== undefined
}

/**
 * Plans the package at a path with everything that is rendered for it; whatever it reads is added to `inputs`.
 * @param given what comes from outside of the package
 * @throws InvalidInputError with everything that is wrong with the package, or naming the chart or kustomization at fault
 */
export async function planPackageSource(
  planned: PlannedComposite,
  inputs: InputCollector,
  given: PlanOptions = {},
): Promise<CompositePlan> {
  const { path, trace, signal } = planned
  const plan = await planPackage(packageTree(trace, path, inputs), path, {
    signal,
    ...packageActions(planned, inputs),
    ...planned.trial,
    ...given,
  })
  const parts: SourcePart[] = []
  for (const item of plan.items) {
    // Other work of the process has its turn in between.
    await setImmediate()
    const label = labelOf(item)
    const placement = placementOf(plan, item)
    if (item.kind === 'manifests') {
      parts.push({ renderer: 'text', label, placement, files: item.files })
      continue
    }
    const own = new InputCollector(trace)
    const basics = { label, placement, path: item.path, finish: item.finish }
    const tool = await inPart(label, async () =>
      item.kind === 'chart'
        ? await planChartTool(planned, item, own)
        : await planKustomizationTool(planned, item, own),
    )
    const partInputs = own.minimal().map((input) => input.path)
    for (const input of partInputs) await inputs.add(input)
    parts.push({ ...basics, ...tool, inputs: partInputs })
  }
  const files = plan.files.map((file) => ({
    path: file.path.slice(`${filesFolder}/`.length),
    content: file.text,
    of: `package "${plan.name}"`,
  }))
  return {
    path,
    parts,
    notices: [...new Set(plan.notices.map(formatFinding))],
    parameters: await packageParameters(trace, plan),
    digest: '',
    files: await inPart(path || '.', async () => distinctFiles(files)),
  }
}

function labelOf(item: PlannedItem): string {
  const kind = item.kind === 'chart' ? 'chart' : 'manifest'
  return `component "${item.component}" ${kind} "${item.name}"`
}

function placementOf({ components, syncWaves }: PackagePlan, item: PlannedItem): ManifestPlacement {
  const syncWave = syncWaves ? String(components.indexOf(item.component)) : undefined
  return { namespace: item.namespace, syncWave }
}

async function planChartTool(
  { trace, environment, policy }: PlannedComposite,
  chart: PlannedChart,
  inputs: InputCollector,
): Promise<Pick<HelmPart, 'renderer' | 'helm' | 'options' | 'valuesTexts'>> {
  const values = toJson(chart.values)
  const options: HelmOptions = {
    releaseName: chart.releaseName,
    namespace: chart.namespace,
    skipSchemaValidation: !chart.validatesSchema,
    parameters: integerParameters(chart.values),
    ...(isMapping(values) && Object.keys(values).length > 0 ? { valuesObject: values } : {}),
  }
  const found = await followPath(trace, chart.path)
  const helm =
    found === undefined || found.entry.kind === 'directory'
      ? await planHelm(trace, chart.path, options, environment, policy, inputs)
      : await planArchive(chart.path, effectiveParameters(options, environment), inputs)
  return { renderer: 'helm', helm, options, valuesTexts: chart.valueFiles.map(({ text }) => text) }
}

/** A packed chart brings everything with it. */
async function planArchive(
  path: string,
  parameters: HelmPlan['parameters'],
  inputs: InputCollector,
): Promise<HelmPlan> {
  if (!path.endsWith('.tgz')) {
    throw new InvalidInputError(`"${path}" is neither the directory of a chart nor its archive, a .tgz`)
  }
  await inputs.add(path)
  const chartName = path.replace(/^.*\//, '').replace(/-v?\d.*$|\.tgz$/, '')
  return { chartName, dependencySteps: [], valueFiles: [], parameters, fileParameters: [] }
}

async function planKustomizationTool(
  { trace, environment, tools, policy }: PlannedComposite,
  { path, enablesPlugins }: PlannedKustomization,
  inputs: InputCollector,
): Promise<Pick<KustomizePart, 'renderer' | 'kustomize'>> {
  if (enablesPlugins) {
    throw new InvalidInputError(
      `kustomization "${path}" wants plugins of Kustomize, which are programs and are never run; set enableKustomizePlugins to false`,
    )
  }
  const kustomize = await planKustomize(trace, path, {}, environment, tools, policy, inputs)
  return { renderer: 'kustomize', kustomize }
}
