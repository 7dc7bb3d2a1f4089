import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { PlannedComposite } from './composite/composite-plan.ts'
import { planDirectory } from './directory/directory-inputs.ts'
import { planHelm } from './helm/helm-inputs.ts'
import { InputCollector } from './tree/input-collector.ts'
import { planKustomize } from './kustomize/kustomize-plan.ts'
import { isPackage, planPackageSource } from './package/package-plan.ts'
import { planPlugin } from './plugin/plugin-plan.ts'
import type { SourceOptions } from './source.ts'
import type { SourcePlan } from './source-inspection.ts'
import { type DetectedRenderer, chosenRenderer, detectTool } from './tool-choice.ts'
import { isWorkload } from './workload/workload-files.ts'
import { planWorkload } from './workload/workload-plan.ts'

/** What a plan is made from. */
interface PlannedSource extends PlannedComposite {
  /** Those of the Application and of the repository, merged. */
  readonly options: SourceOptions
}

/** The renderer of a source, as its options say or else as the first finds that the source is its own: plugins, packages, Helm, Kustomize. */
export async function planSource(
  planned: PlannedSource,
): Promise<{ plan: SourcePlan; inputs: InputCollector }> {
  const { path, options, trace, tools } = planned
  const chosen = chosenRenderer(path, options)
  if (chosen === 'plugin' || chosen === undefined) {
    const inputs = new InputCollector(trace)
    const asked = { ...planned, options: options.plugin, plugins: tools.plugins, inputs }
    const plugin = await planPlugin(asked)
    if (plugin !== undefined) return { plan: { renderer: 'plugin', plugin }, inputs }
  }
  if (chosen !== 'plugin' && (await isPackage(trace, path))) {
    if (chosen !== undefined) {
      throw new InvalidInputError(
        `source "${path || '.'}" is a package, as it has a zarf.yaml, and has options of another renderer: ${chosen}; remove them, what decides a package is in zarf-config.yaml`,
      )
    }
    const inputs = new InputCollector(trace)
    return { plan: { renderer: 'package', composite: await planPackageSource(planned, inputs) }, inputs }
  }
  const renderer = chosen === 'plugin' || chosen === undefined ? await detectTool(trace, path) : chosen
  const inputs = new InputCollector(trace)
  if (renderer === 'directory' && chosen === undefined && (await isWorkload(trace, path))) {
    return { plan: { renderer: 'workload', composite: await planWorkload(planned, inputs) }, inputs }
  }
  return { plan: await planTool(renderer, planned, inputs), inputs }
}

/** Whether a source or a part of it is a kustomization. */
export function usesKustomize(plan: SourcePlan): boolean {
  return 'composite' in plan
    ? plan.composite.parts.some(({ renderer }) => renderer === 'kustomize')
    : plan.renderer === 'kustomize'
}

async function planTool(
  renderer: DetectedRenderer,
  { path, options, environment, trace, tools, policy }: PlannedSource,
  inputs: InputCollector,
): Promise<SourcePlan> {
  if (renderer === 'helm') {
    return { renderer, helm: await planHelm(trace, path, options.helm ?? {}, environment, policy, inputs) }
  }
  if (renderer === 'kustomize') {
    const plan = await planKustomize(trace, path, options.kustomize ?? {}, environment, tools, policy, inputs)
    return { renderer, kustomize: plan }
  }
  return {
    renderer,
    directory: await planDirectory(trace, path, options.directory ?? {}, environment, inputs),
  }
}
