import type { Places } from '@wadi/concurrency/places.ts'
import type { Containment } from '@wadi/containment/containment.ts'
import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FastRendering } from './fast-rendering.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import type { ManifestWorkers } from './manifests/manifest-workers.ts'
import type { PackagedCharts } from './cache/packaged-charts.ts'
import type { PluginVariable } from '../renderers/plugin/plugins.ts'
import type { OutsideWay } from '@wadi/renderer-tools/outside-way.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { RenderPolicy, RenderSource } from '../source/source.ts'

/** The limits of one render. */
export interface RenderLimits {
  /** Longest run of one tool. */
  readonly timeoutMilliseconds: number
  /** Largest output that is read from a tool, in bytes. */
  readonly toolOutputBytes: number
  /** Largest result of one source, in bytes of JSON. */
  readonly manifestBytes: number
  /** Largest input of one source, in bytes and in files. */
  readonly inputBytes: number
  readonly inputFiles: number
}

/** The context of a render, in addition to the files and the inspection. */
export interface RenderContext {
  readonly source: RenderSource
  readonly revision: string
  readonly tools: Tools
  readonly policy: RenderPolicy
  /** Directory in which each render makes a private directory and removes it; memory-backed is fastest. */
  readonly sandboxRoot: string
  /** The places in which tools run, and wait for others; without it any number runs at a time. */
  readonly sandboxes?: Places
  readonly limits: RenderLimits
  /** Runs the tools. */
  readonly containment: Containment
  readonly workers: ManifestWorkers
  /** Shares packed charts between renders; without it Helm builds the dependencies of each. */
  readonly packagedCharts?: PackagedCharts
  /** Renders within this process what it can; without it tools render everything. */
  readonly fast?: FastRendering | undefined
  /** The repository's credentials as variables; asked for only while a plugin generates that wants them. None without it. */
  readonly gitCredentials?: () => Promise<readonly PluginVariable[]>
  /** Returns the way of tools to servers, if the operator allows it; the machine's by default. */
  readonly wayTo?: (servers: readonly string[]) => Promise<OutsideWay>
  readonly signal?: AbortSignal
}

/** A text that belongs to a source's result beside its manifests. */
export interface RenderedFile {
  /** Relative to the directory `files` of the hydrated directory; resolved inside of it. */
  readonly path: string
  readonly content: string
}

/** The result of a renderer. */
export interface Rendered {
  /** One compact JSON string per object, sorted by namespace, name, group and kind. */
  readonly manifests: readonly string[]
  /** The files written beside the manifests, below `files/`. */
  readonly files: readonly RenderedFile[]
  /** The record of the render: the message itself, so that every fact of a renderer reaches `hydrator.metadata`. */
  readonly record: RenderRecord
}

/** The result of a source, and what decided it. */
export interface RenderedSource extends Rendered {
  /**
   * True if more decided the result than the inspection had found: a tool wanted a file beyond the inputs, so that the
   * whole repository became the input, or a plugin's manifests show the revision.
   */
  readonly widened: boolean
  /** That of the inspection; if widened, one that covers this too. */
  readonly fingerprint: string
}

/** The state that the renderers share during one run. */
export interface RenderRun {
  readonly tree: FileTree
  readonly path: string
  readonly context: RenderContext
  readonly sandbox: Sandbox
  /** All that the tool was to read by the inspection; the sandbox has more when the tool wanted more. */
  readonly inputs: readonly string[]
}

/** The output of a tool. */
export interface ToolOutput {
  /** Names the output in messages. */
  readonly file: string
  readonly output: string
  /** Those of the record. */
  readonly commands: readonly string[]
}
