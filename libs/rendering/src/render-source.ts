import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import type { Tools } from './find-tools.ts'
import type { SourceInspection } from './inspect-source.ts'
import type { ManifestWorkers } from './manifest-workers.ts'
import type { PackagedCharts } from './packaged-charts.ts'
import { renderDirectory } from './render-directory.ts'
import { renderHelm } from './render-helm.ts'
import { renderKustomize } from './render-kustomize.ts'
import { Sandbox } from './sandbox.ts'
import type { RenderPolicy, RenderSource } from './source.ts'
import { MissingInputError } from './missing-input.ts'

/** What one render may use. */
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

/** Limits that real charts and overlays stay far below. */
export const defaultRenderLimits: RenderLimits = {
  timeoutMilliseconds: 90_000,
  toolOutputBytes: 64 * 1024 * 1024,
  manifestBytes: 10 * 1024 * 1024,
  inputBytes: 512 * 1024 * 1024,
  inputFiles: 100_000,
}

/** What a render needs beside the files and the inspection. */
export interface RenderContext {
  readonly source: RenderSource
  readonly revision: string
  readonly tools: Tools
  readonly policy: RenderPolicy
  /** Folder in which each render makes a private folder and removes it; memory-backed is fastest. */
  readonly sandboxRoot: string
  readonly limits: RenderLimits
  readonly workers: ManifestWorkers
  /** Shares packed charts between renders; without it Helm builds the dependencies of each. */
  readonly packagedCharts?: PackagedCharts
  readonly signal?: AbortSignal
}

/** The manifests of a source and how a person gets the same. */
export interface RenderedSource {
  /** One compact JSON text an object, sorted by namespace, name, group and kind. */
  readonly manifests: readonly string[]
  /** To be typed one after the other at the repository's root; none for a plain directory. */
  readonly commands: readonly string[]
  readonly tools: ReadonlyArray<{ readonly name: string; readonly version: string }>
  /** Whether the tool wanted a file that the inspection had not found, so that the whole repository became the input. */
  readonly widened: boolean
  /** That of the inspection; if widened, one that covers the whole repository. */
  readonly fingerprint: string
}

/** What the renderers share during one run. */
export interface RenderRun {
  readonly tree: FileTree
  readonly path: string
  readonly context: RenderContext
  readonly sandbox: Sandbox
}

/** What a renderer yields. */
export type Rendered = Pick<RenderedSource, 'manifests' | 'commands' | 'tools'>

/**
 * Renders an inspected source in a sandbox that holds its inputs alone.
 * If the tool misses a file that the tree has, it runs once more with the whole repository.
 * @throws InvalidInputError with the tool's message if it fails, DeadlineExceededError or ResourceExhaustedError above a limit
 */
export async function renderSource(
  tree: FileTree,
  inspection: SourceInspection,
  context: RenderContext,
): Promise<RenderedSource> {
  context.signal?.throwIfAborted()
  if (inspection.plan.renderer === 'directory') {
    const rendered = await renderDirectory(tree, inspection.plan.directory, context)
    return { ...rendered, widened: false, fingerprint: inspection.fingerprint }
  }
  try {
    const rendered = await renderInSandbox(tree, inspection, context, inspection.inputs)
    return { ...rendered, widened: false, fingerprint: inspection.fingerprint }
  } catch (error) {
    if (!(error instanceof MissingInputError)) throw error
    const rendered = await renderInSandbox(tree, inspection, context, undefined)
    return { ...rendered, widened: true, fingerprint: await inspection.widenedFingerprint(tree) }
  }
}

async function renderInSandbox(
  tree: FileTree,
  inspection: SourceInspection,
  context: RenderContext,
  inputs: readonly string[] | undefined,
): Promise<Rendered> {
  const { plan, path, options } = inspection
  const { policy, limits } = context
  const network =
    plan.renderer === 'helm'
      ? plan.helm.dependencySteps.some(({ repositories }) => repositories.length > 0)
      : policy.allowRemoteBases
  await using sandbox = new Sandbox(context.sandboxRoot, network)
  await sandbox.writeInputs(tree, inputs ?? [''], limits, inputs === undefined)
  const run: RenderRun = { tree, path, context, sandbox }
  if (plan.renderer === 'helm') return await renderHelm(run, plan.helm, options.helm ?? {})
  if (plan.renderer === 'kustomize') return await renderKustomize(run, plan.kustomize)
  throw new InvalidInputError(`${plan.renderer} needs no sandbox`)
}
