import { hash } from 'node:crypto'
import { revisionVariables } from '../source/build-environment.ts'
import type { InspectedOptions } from '../source/inspected-options.ts'
import type { Plan } from '../plan/plan.ts'
import { pluginTool } from '../renderers/plugin/plugin-tool.ts'
import type { Renderer } from '../plan/renderer.ts'
import type { ToolPins } from '@wadi/renderer-tools/tool-pins.ts'
import type { AttributesFile } from '@wadi/file-trees/checkout-changes.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { GateSettings } from '@wadi/gates/settings/gate-settings.ts'
import type { TreeRead } from '@wadi/file-trees/tracing-tree.ts'

/** The facts about a source at a revision before it is rendered. */
export interface SourceInspection extends InspectedOptions {
  /** The name of the renderer. */
  readonly renderer: string
  /** The renderers that were asked, in their order. */
  readonly renderers: readonly Renderer[]
  /** True if the Application has options that are not in git. */
  readonly inlineOptions: boolean
  /** Files and directories that the render can read, sorted. It sees nothing else. */
  readonly inputs: readonly string[]
  /** Build variables that decide the result, sorted: `ARGOCD_APP_REVISION` and so on. */
  readonly variables: readonly string[]
  /** Names of variables that options refer to and that hydration does not set, sorted. */
  readonly unsetVariables: readonly string[]
  /** The variables of the Application and its cluster that plugins receive, by name; they decide the result too. */
  readonly pluginVariables: ReadonlyMap<string, string>
  /** The sha256, in hex, of everything that decides the result. Equal fingerprints, equal manifests. */
  readonly fingerprint: string
  /**
   * Equal for sources whose results are equally repeatable, in hex. As the fingerprint, but without the values of build
   * variables, which change with every commit, and without the files of plugins, which may be the whole repository.
   */
  readonly repeatKey: string
  /** True if the repository asks for an error when results differ from render to render. */
  readonly isStrict: boolean
  /** The gates and waivers of the repository; they decide no result. */
  readonly gates: GateSettings
  /** The versions of tools that git asks for. */
  readonly pins: ToolPins
  /** Those of `wadi.yaml` among them, also where the directory asks for another one. */
  readonly repositoryPins: ToolPins
  /** True if a plugin renders the source or a part of it. */
  readonly hasPlugins: boolean
  /** That of a render which had to be widened: with the whole repository as input, for a plugin with the revision. */
  readonly widenedFingerprint: (tree: FileTree, revision: string) => Promise<string>
  /** Paths looked at with their ids; as long as another commit gives the same ids, this inspection is valid for it. */
  readonly reads: readonly TreeRead[]
  /** The files `.gitattributes` above the inputs; empty if they change no file in a checkout. */
  readonly checkoutAttributes: readonly AttributesFile[]
  /** Warnings for the user. */
  readonly warnings: readonly string[]
  readonly plan: Plan
}

const namesOfRevision = [...revisionVariables('').keys()]

/** The parts of the repository that an inspection depends on. */
interface Dependencies {
  /** Every path that was read, clean; what is below a directory among them counts too. */
  readonly paths: readonly string[]
  /** True if the result is different for each revision. */
  readonly onRevision: boolean
}

/** Returns the parts of the repository that an inspection depends on. */
export function dependenciesOf({
  reads,
  variables,
}: Pick<SourceInspection, 'reads' | 'variables'>): Dependencies {
  return {
    paths: reads.map(([path]) => cleanPath(path)),
    onRevision: variables.some((name) => namesOfRevision.includes(name)),
  }
}

/** Returns the tools and plugins that render a source with their versions, such as `helm v4.1.4`. */
export function toolsOf({ plan: { tools, plugins } }: Pick<SourceInspection, 'plan'>): string[] {
  const all = [...tools, ...plugins.map(({ plugin }) => pluginTool(plugin))]
  return all.map(({ name, version }) => `${name} ${version}`.trimEnd())
}

/** A path without empty parts and `.`, which have no effect; the same string where there are none. */
function cleanPath(path: string): string {
  if (!/(?:^|\/)\.?(?:\/|$)/u.test(path)) return path
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/')
}

/** The fingerprint of a result that one thing more decides than `fingerprint` covers. */
export function extendedFingerprint(fingerprint: string, deciding: string): string {
  return hash('sha256', `${fingerprint} ${deciding}`)
}
