import type { z } from 'zod'
import type { BuildEnvironment } from '../source/build-environment.ts'
import type { CommandRunner } from './command-runner.ts'
import type { OptionLayer } from '../source/option-origin.ts'
import type { RendererOptions, TakesOptions } from '../source/source-options.ts'
import type { Plugins } from '../renderers/plugin/plugins.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import type { ToolPins } from '@wadi/renderer-tools/tool-pins.ts'
import type { RenderPolicy, RenderSource, SourceOptions, TrialValues } from '../source/source.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import type { RenderRequest } from './render-request.ts'
import type { Plan } from './plan.ts'

/** A renderer whose options a source may have. */
export interface RendererWithOptions<Name extends string, Schema extends z.ZodType> extends Renderer {
  readonly name: Name
  readonly options: RendererOptions<Schema>
}

/** A way to render. */
export interface Renderer extends TakesOptions {
  /** The name of its directories in messages, for example `a kustomization`. */
  readonly noun: string
  /** The way in which it gets values to try out: beside the source, as its options, or not at all. */
  readonly trialValues: 'beside' | 'options' | 'none'
  /** True if a `Render` object may have options of it although a source has none. */
  readonly hasRenderOptions?: boolean
  /** Returns true if the files of a directory ask for it, as far as the files decide it. */
  detects(tree: FileTree, path: string): Promise<boolean>
  /**
   * Plans a source that is its own, as the options or else the files say, and adds all that it may read to the inputs;
   * undefined for a source of another renderer.
   * @throws InvalidInputError for whatever is wrong with options, links or references
   */
  plan(source: PlannedSource): Promise<Plan | undefined>
}

/** Everything that can render: the tools of this machine and the plugins that can be reached. */
export interface RenderTools extends Tools {
  /** Versions to try out in the place of those that `wadi.yaml` names. */
  readonly overSettings?: ToolPins | undefined
  readonly plugins: Plugins
  /** Runs actions of packages and ytt; absent where nothing does. */
  readonly commands?: CommandRunner | undefined
  /** The renderers in the order in which they are asked whether a source is theirs; by default those of `renderers.ts`. */
  readonly renderers?: readonly Renderer[] | undefined
}

/** The inputs of a plan. */
export interface PlannedSource {
  /** The Application's. */
  readonly source: RenderSource
  /** The directory that is planned, which a `Render` may have led to. */
  readonly path: string
  /** Those of the Application and of the repository, merged. */
  readonly options: SourceOptions
  /** The places of the options. */
  readonly layers: readonly OptionLayer[]
  /** The renderers that it has options of. */
  readonly named: readonly string[]
  /** The `Render` that led here, whose options take precedence. Undefined for the source itself. */
  readonly render: RenderRequest | undefined
  readonly build: ReadonlyMap<string, string>
  readonly environment: BuildEnvironment
  readonly trace: TracingTree
  /** The inputs that the render can read. */
  readonly inputs: InputCollector
  readonly tools: RenderTools
  /** Those that are asked, in their order. */
  readonly renderers: readonly Renderer[]
  readonly policy: RenderPolicy
  /** Values to try out, which are not in git. */
  readonly trial: TrialValues | undefined
  /** Runs the actions of packages and templates in ytt; undefined where nothing does. */
  readonly commands: CommandRunner | undefined
  readonly signal: AbortSignal | undefined
}

/** Returns true if the options of a source name a renderer or, if they name none, its files ask for it. */
export async function isAskedFor(
  renderer: Renderer,
  { named, trace, path }: PlannedSource,
): Promise<boolean> {
  return named.length === 0 ? await renderer.detects(trace, path) : named.includes(renderer.name)
}

/** Returns the options of a renderer among those of a source, checked by its schema; undefined when it has none. */
export function optionsFor<Schema extends z.ZodType>(
  { name, options }: RendererWithOptions<string, Schema>,
  sourceOptions: SourceOptions,
): z.infer<Schema> | undefined {
  const given = new Map<string, unknown>(Object.entries(sourceOptions)).get(name)
  return given === undefined ? undefined : options.schema.parse(given)
}
