import type { DirectoryPlan } from '../directory/directory-inputs.ts'
import type { Tools } from '../sandbox/find-tools.ts'
import type { HelmPlan } from '../helm/helm-inputs.ts'
import type { KustomizePlan } from '../kustomize/kustomize-plan.ts'
import type { ManifestPlacement } from '../manifest-job.ts'
import type { PluginPlan } from '../plugin/plugin-plan.ts'
import type { HelmOptions } from '../source.ts'

/** What every part of a source has that is made of several. */
interface PartBasics {
  /** Names the part in messages, for example `component "web" chart "web"`. */
  readonly label: string
  readonly placement: ManifestPlacement
}

/** What is rendered by a tool, from inputs of its own. */
interface ToolPart extends PartBasics {
  /** From the repository's root. */
  readonly path: string
  readonly inputs: readonly string[]
  /** Makes the text that manifests are read from of what the tool has printed. */
  readonly finish: (output: string, signal?: AbortSignal) => string | Promise<string>
}

/** A chart that is a part of a source. */
export interface HelmPart extends ToolPart {
  readonly renderer: 'helm'
  readonly helm: HelmPlan
  readonly options: HelmOptions
  /** Values files that are not in the repository; the values of the options win over them. */
  readonly valuesTexts: readonly string[]
}

/** A kustomization that is a part of a source. */
export interface KustomizePart extends ToolPart {
  readonly renderer: 'kustomize'
  readonly kustomize: KustomizePlan
}

/** A directory of manifests that is a part of a source. */
interface DirectoryPart extends PartBasics {
  readonly renderer: 'directory'
  readonly directory: DirectoryPlan
}

/** A directory that is a plugin's and a part of a source. */
interface PluginPart extends PartBasics {
  readonly renderer: 'plugin'
  readonly plugin: PluginPlan
}

/** Manifests that need no tool. */
interface TextPart extends PartBasics {
  readonly renderer: 'text'
  readonly files: ReadonlyArray<{ readonly path: string; readonly text: string; readonly remedy?: string }>
}

/** One of the sources that a source is made of. */
export type SourcePart = HelmPart | KustomizePart | DirectoryPart | PluginPart | TextPart

/** The plugins of parts. */
export function partPlugins(parts: readonly SourcePart[]): PluginPlan[] {
  return parts.flatMap((part) => (part.renderer === 'plugin' ? [part.plugin] : []))
}

/** The tools that parts are rendered with: the bundled ones sorted by name, and then plugins. */
export function partTools(parts: readonly SourcePart[], tools: Tools): { name: string; version: string }[] {
  const bundled = (['helm', 'kustomize'] as const)
    .filter((name) => parts.some(({ renderer }) => renderer === name))
    .map((name) => ({ name, version: tools[name].version }))
  const plugins = new Map(partPlugins(parts).map(({ plugin }) => [`plugin ${plugin.name}`, plugin.identity]))
  return [...bundled, ...Array.from(plugins, ([name, version]) => ({ name, version }))]
}
