import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { BuildEnvironment } from './build-environment.ts'
import { type DirectoryPlan, planDirectory } from './directory-inputs.ts'
import type { FileTree } from './file-tree.ts'
import { followPath } from './follow-links.ts'
import { type HelmPlan, planHelm } from './helm-inputs.ts'
import { InputCollector } from './input-collector.ts'
import { findKustomization } from './kustomize-inputs.ts'
import { type KustomizePlan, planKustomize } from './kustomize-plan.ts'
import { type PluginPlan, planPlugin } from './plugin-plan.ts'
import type { Renderers } from './renderers.ts'
import { childPath } from './repository-path.ts'
import type { RenderPolicy, RenderSource, SourceOptions } from './source.ts'
import type { TracingTree } from './tracing-tree.ts'

/** What a source will be rendered with, with its paths resolved. */
export type SourcePlan =
  | { readonly renderer: 'helm'; readonly helm: HelmPlan }
  | { readonly renderer: 'kustomize'; readonly kustomize: KustomizePlan }
  | { readonly renderer: 'directory'; readonly directory: DirectoryPlan }
  | { readonly renderer: 'plugin'; readonly plugin: PluginPlan }

/** What a plan is made from. */
interface PlannedSource {
  readonly source: RenderSource
  /** The source's directory, normalised. */
  readonly path: string
  /** Those of the Application and of the repository, merged. */
  readonly options: SourceOptions
  readonly build: ReadonlyMap<string, string>
  readonly environment: BuildEnvironment
  readonly trace: TracingTree
  readonly tools: Renderers
  readonly policy: RenderPolicy
  readonly signal: AbortSignal | undefined
}

/** The renderer of a source, as its options say or else as the first finds that the source is its own: plugins, Helm, Kustomize. */
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
  const renderer = chosen === 'plugin' || chosen === undefined ? await detectTool(trace, path) : chosen
  const inputs = new InputCollector(trace)
  return { plan: await planTool(renderer, planned, inputs), inputs }
}

async function planTool(
  renderer: Exclude<SourcePlan['renderer'], 'plugin'>,
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

/** The renderer whose options the source has. */
function chosenRenderer(path: string, options: SourceOptions): SourcePlan['renderer'] | undefined {
  const [first, ...others] = (['helm', 'kustomize', 'directory', 'plugin'] as const).filter(
    (key) => options[key] !== undefined,
  )
  if (first !== undefined && others.length > 0) {
    throw new InvalidInputError(
      `source "${path || '.'}" has options of several renderers: ${[first, ...others].join(', ')}; keep one`,
    )
  }
  return first
}

async function detectTool(tree: FileTree, path: string): Promise<Exclude<SourcePlan['renderer'], 'plugin'>> {
  if ((await followPath(tree, childPath(path, 'Chart.yaml'))) !== undefined) return 'helm'
  return (await findKustomization(tree, path)) === undefined ? 'directory' : 'kustomize'
}
