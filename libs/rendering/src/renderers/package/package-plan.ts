import { setImmediate } from 'node:timers/promises'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { filesDirectory } from '@wadi/hydration/files-directory.ts'
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
import { type CompositeSource, type SourcePart, distinctFiles } from '../composite/composite-source.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { type ChartRender, effectiveParameters, planHelm } from '../helm/helm-inputs.ts'
import { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { helmPlan } from '../helm/helm-plan.ts'
import { planKustomize } from '../kustomize/kustomize-build.ts'
import { kustomizePlan } from '../kustomize/kustomize-plan.ts'
import type { Plan } from '../../plan/plan.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import { packageActions } from './package-actions.ts'
import { packageParameters } from './package-parameters.ts'
import { packageTree } from '@wadi/zarf/definition/package-tree.ts'
import type { ManifestPlacement } from '../../run/manifests/manifest-job.ts'
import type { HelmOptions } from '../helm/helm-option-schema.ts'
import { noPins, optionPins, type ToolPins, withPins } from '@wadi/renderer-tools/tool-pins.ts'
import { mergeSourceOverrides, partSource } from '../../source/source-overrides.ts'

/**
 * Plans the package at a path with everything that is rendered for it; whatever it reads is added to the inputs.
 * @param given what comes from outside of the package
 * @throws InvalidInputError with everything that is wrong with the package, or naming the chart or kustomization at fault
 */
export async function planPackageSource(
  planned: PlannedSource,
  given: PlanOptions,
): Promise<CompositeSource> {
  const { path, trace, inputs, signal } = planned
  const plan = await planPackage(packageTree(trace, path, inputs), path, {
    signal,
    ...packageActions(planned),
    ...planned.trial,
    ...given,
  })
  const parts: SourcePart[] = []
  const helmVersions = new Map<string, string>()
  for (const item of plan.items) {
    // Other work of the process has its turn in between.
    await setImmediate()
    const label = labelOf(item)
    const placement = placementOf(plan, item)
    if (item.kind === 'manifests') {
      parts.push({ label, placement, files: item.files })
      continue
    }
    const own = new InputCollector(trace)
    const pins = await directoryPins(planned, item.path)
    const part = { ...planned, inputs: own, tools: await withPins(planned.tools, pins) }
    helmVersions.set(item.path, part.tools.helm.version)
    const toolPlan = await withContext(
      label,
      async () => (item.kind === 'chart' ? await planChart(part, item) : await planKustomization(part, item)),
      InvalidInputError,
    )
    for (const input of toolPlan.inputs) await inputs.add(input)
    parts.push({ label, placement, plan: toolPlan, pins, finish: item.finish })
  }
  const files = plan.files.map((file) => ({
    path: file.path.slice(`${filesDirectory}/`.length),
    content: file.text,
    of: `package "${plan.name}"`,
  }))
  return {
    path,
    parts,
    warnings: [...new Set(plan.warnings.map(formatFinding))],
    parameters: await packageParameters(trace, plan, helmVersions),
    digest: '',
    files: await withContext(path || '.', async () => distinctFiles(files), InvalidInputError),
  }
}

/** The versions that the directory of a chart or a kustomization asks for. Its other options are for those who render it by itself. */
async function directoryPins({ trace, renderers }: PlannedSource, path: string): Promise<ToolPins> {
  const found = await followPath(trace, path)
  if (found?.entry.kind !== 'directory') return noPins
  return optionPins(await mergeSourceOverrides(trace, path, { ...partSource, path }, renderers))
}

function labelOf(item: PlannedItem): string {
  const kind = item.kind === 'chart' ? 'chart' : 'manifest'
  return `component "${item.component}" ${kind} "${item.name}"`
}

function placementOf({ components, syncWaves }: PackagePlan, item: PlannedItem): ManifestPlacement {
  const syncWave = syncWaves ? String(components.indexOf(item.component)) : undefined
  return { namespace: item.namespace, syncWave }
}

async function planChart(
  { trace, environment, policy, tools, inputs }: PlannedSource,
  given: PlannedChart,
): Promise<Plan> {
  const { path } = given
  const values = toJson(given.values)
  const options: HelmOptions = {
    releaseName: given.releaseName,
    namespace: given.namespace,
    skipSchemaValidation: !given.validatesSchema,
    parameters: integerParameters(given.values),
    ...(isJsonObject(values) && Object.keys(values).length > 0 ? { valuesObject: values } : {}),
  }
  const found = await followPath(trace, path)
  const chart =
    found === undefined || found.entry.kind === 'directory'
      ? await planHelm(trace, path, options, environment, policy, inputs)
      : await planArchive(path, effectiveParameters(options, environment), inputs)
  const valuesTexts = given.valueFiles.map(({ text }) => text)
  const { version } = tools.helm
  return helmPlan({ path, chart, options, valuesTexts, inputs: inputs.paths(), version })
}

/** A packed chart brings everything with it. */
async function planArchive(
  path: string,
  parameters: ChartRender['parameters'],
  inputs: InputCollector,
): Promise<ChartRender> {
  if (!path.endsWith('.tgz')) {
    throw new InvalidInputError(`"${path}" is neither the directory of a chart nor its archive, a .tgz`)
  }
  await inputs.add(path)
  const chartName = path.replace(/^.*\//, '').replace(/-v?\d.*$|\.tgz$/, '')
  return { chartName, dependencySteps: [], valueFiles: [], parameters, fileParameters: [] }
}

async function planKustomization(
  planned: PlannedSource,
  { path, enablesPlugins }: PlannedKustomization,
): Promise<Plan> {
  if (enablesPlugins) {
    throw new InvalidInputError(
      `kustomization "${path}" wants plugins of Kustomize, which are programs and are never run; set enableKustomizePlugins to false`,
    )
  }
  const build = await planKustomize(planned, path, {}, planned.inputs)
  return kustomizePlan(planned, { path, build, inputs: planned.inputs.paths() })
}
