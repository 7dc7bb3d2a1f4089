import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { ObjectOrigins } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { CompositeSource } from '../renderers/composite/composite-source.ts'
import type { ManifestText, ReadManifests } from '../run/manifests/manifest-job.ts'
import type { PluginUse } from '../renderers/plugin/plugin-use.ts'
import type { RenderContext, RenderedFile } from '../run/render-run.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { type ParameterView, noParameters } from './parameter-view.ts'

/** A program that renders. */
export interface ToolVersion {
  readonly name: string
  readonly version: string
}

/** The plan of a source's render, with its paths resolved. A part of a composite is a plan too. */
export interface Plan {
  /** The name of the renderer that made it. */
  readonly renderer: string
  /** Files and directories that the render can read, sorted. It sees nothing else. */
  readonly inputs: readonly string[]
  /** The versions that decide the bytes beside options and inputs: of tools and plugins. A part of the fingerprint. */
  readonly identity: string
  /** The tools of this machine that it runs. */
  readonly tools: readonly ToolVersion[]
  /** The plugins that it calls. */
  readonly plugins: readonly PluginUse[]
  /** Options of the operator that decide the result. */
  readonly policyOptions: readonly string[]
  /** Equal for equal plans, as far as the inputs do not decide it; empty when the inputs decide everything. */
  readonly digest: string
  /** True if the destination's namespace decides the result. */
  readonly seesNamespace: boolean
  /** True if a tool may want files beyond the inputs, so that the whole repository becomes the input. */
  readonly mayMissInputs: boolean
  /** True if values to try out are a part of it. */
  readonly takesTrialValues: boolean
  /** Warnings for the user. */
  readonly warnings: readonly string[]
  /** The differences possible from render to render; undefined without any. */
  readonly repeatability?: Repeatability
  /** The parts of a source that is made of several; undefined for any other. */
  readonly composite?: CompositeSource
  readonly parameters: ParameterView
  /** The plan for a commit in which everything that it was made from is the same; without it the plan itself. */
  readonly atRevision?: (revision: string) => Plan
  /** Finds more of the origins of rendered objects than the render records, which takes longer; absent where there is no more. */
  readonly findOrigins?: (tree: FileTree, rendered: RenderedObjects) => Promise<ObjectOrigins | undefined>
  /**
   * Renders it.
   * @throws InvalidInputError with the message of what renders, DeadlineExceededError or ResourceExhaustedError above a limit
   */
  run(tree: FileTree, context: RenderContext): Promise<PlanOutput>
}

/** The result of a render with the origins that it recorded. */
export interface RenderedObjects {
  /** One JSON text per object. */
  readonly manifests: readonly string[]
  readonly origins: ObjectOrigins | undefined
}

/** Why renders of one plan may differ. */
export interface Repeatability {
  /** Templates with the values that they are given, to look through for calls whose results can change. */
  readonly templates: readonly TemplateInputs[]
  /** True if results may differ although no template shows it. */
  readonly isOpaque: boolean
  /** The advice about a difference; by default to set values in git. */
  readonly remedy?: string
}

/** The templates of one chart, and values that are treated as templates. */
interface TemplateInputs {
  readonly files: readonly string[]
  readonly values: JsonValue
}

/** The result of a plan. */
export interface PlanOutput {
  /** Texts that manifests are still to be read from, or what was read from them. */
  readonly result: { readonly files: readonly ManifestText[] } | ReadManifests
  /** The files written beside the manifests. */
  readonly files: readonly RenderedFile[]
  /** The record of the run, without the warnings of reading the manifests. */
  readonly record: RenderRecord
  /** True if a tool wanted a file beyond the inputs, so that the whole repository became the input. */
  readonly widened: boolean
  /** Identities of plugins that were changed since the plan was made. */
  readonly changedIdentities: readonly string[]
}

/** A plan of a renderer that needs nothing but its inputs: what others say beyond that is put over it. */
export const plainPlan = {
  identity: '',
  tools: [],
  plugins: [],
  policyOptions: [],
  digest: '',
  seesNamespace: false,
  mayMissInputs: false,
  takesTrialValues: false,
  warnings: [],
  parameters: noParameters,
} satisfies Partial<Plan>

/** An output that says nothing beyond its result and its record. */
export const plainOutput = {
  files: [],
  widened: false,
  changedIdentities: [],
} satisfies Partial<PlanOutput>
