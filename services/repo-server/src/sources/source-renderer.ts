import { availableParallelism } from 'node:os'
import pLimit, { type LimitFunction } from 'p-limit'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/file-tree.ts'
import { FingerprintMemo } from '@wadi/rendering/fingerprint-memo.ts'
import { inspectSource, type SourceInspection } from '@wadi/rendering/inspect-source.ts'
import type { ManifestWorkers } from '@wadi/rendering/manifest-workers.ts'
import { PackagedCharts } from '@wadi/rendering/packaged-charts.ts'
import { renderSource } from '@wadi/rendering/render-source.ts'
import type { PluginVariable } from '@wadi/rendering/plugins.ts'
import type { Rendered, RenderedSource, RenderLimits } from '@wadi/rendering/render-run.ts'
import type { Renderers } from '@wadi/rendering/renderers.ts'
import {
  fieldPath,
  parseSourceOptions,
  type RenderPolicy,
  type RenderSource,
} from '@wadi/rendering/source.ts'
import type { RenderCache } from './render-cache.ts'

/** What renders: the tools and plugins, what the operator allows and where it happens. */
export interface RendererOptions {
  renderers: Renderers
  /** The read credentials of a repository as variables, for plugins that want them. */
  gitVariables: (
    repository: { repoURL: string; project: string },
    signal: AbortSignal,
  ) => Promise<readonly PluginVariable[]>
  policy: RenderPolicy
  limits: RenderLimits
  /** Folder for the sandboxes. */
  sandboxRoot: string
  cache: RenderCache
  workers: ManifestWorkers
  /** How many renderers run at a time; 0 for one per core. */
  parallelism: number
}

/** A source of a commit as this service reads it. */
export interface DrySource {
  tree: FileTree
  revision: string
  /** Whose credentials count. */
  project: string
  source: RenderSource
}

const maxRememberedSources = 50_000

/** Inspects and renders sources; equal fingerprints are rendered once. */
export class SourceRenderer {
  #options: RendererOptions
  #memo = new FingerprintMemo(maxRememberedSources)
  #packagedCharts = new PackagedCharts()
  #limit: LimitFunction
  #sources = new Map<string, RenderSource>()
  /** Narrow fingerprints of sources that more decides than their inspection had found. */
  #widened = new Set<string>()
  /** Remarks of plugins by fingerprint, as an unchanged source is only inspected. */
  #remarks = new Map<string, readonly string[]>()

  constructor(options: RendererOptions) {
    this.#options = options
    this.#limit = pLimit(options.parallelism || availableParallelism())
  }

  /** The identity of the renderers and of what the operator allows them. */
  async identity(): Promise<string> {
    const { renderers, policy } = this.#options
    const { helm, kustomize, plugins } = renderers
    return `helm ${helm.version}, kustomize ${kustomize.version}, plugins ${await plugins.identity()}, ${JSON.stringify(policy)}`
  }

  /** Reads a source of a request, once for all requests that name it. */
  readSource(repoURL: string, request: Source): RenderSource {
    const { path, optionsJson, destinationNamespace, applicationName, targetRevision } = request
    const { manifestGeneratePaths } = request
    const rest = [destinationNamespace, applicationName, targetRevision, manifestGeneratePaths]
    const key = JSON.stringify([repoURL, path, optionsJson, ...rest])
    const known = this.#sources.get(key)
    if (known) return known
    if (this.#sources.size >= maxRememberedSources) this.#sources.clear()
    const source = {
      path,
      options: parseOptions(optionsJson),
      destinationNamespace,
      applicationName,
      repoURL,
      targetRevision,
      manifestGeneratePaths,
    }
    this.#sources.set(key, source)
    return source
  }

  /** Tells what decides a source's result, and what there is to remark, by its plugin when it was rendered too. */
  async inspect(
    { tree, source, revision }: DrySource,
    signal: AbortSignal,
  ): Promise<{ inspection: SourceInspection; fingerprint: string; notices: readonly string[] }> {
    const { renderers, policy } = this.#options
    const inspection = await this.#memo.inspect(tree, source, revision, renderers, policy, signal)
    const { fingerprint: narrow, widenedFingerprint, notices } = inspection
    const fingerprint = this.#widened.has(narrow) ? await widenedFingerprint(tree, revision) : narrow
    if (inspection.renderer !== 'plugin') return { inspection, fingerprint, notices }
    return { inspection, fingerprint, notices: [...notices, ...(await this.#remarksOf(fingerprint))] }
  }

  /** Renders a source; unless it has to be fresh, from the cache when its fingerprint was rendered before. */
  async render(
    dry: DrySource,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<Rendered & { fingerprint: string }> {
    const { cache } = this.#options
    const { inspection, fingerprint } = await this.inspect(dry, signal)
    const known = fresh ? undefined : await cache.read(fingerprint)
    if (known) return { ...known, fingerprint }
    const rendered = await this.#run(dry, inspection, signal)
    const { manifests, commands, tools, notices, parameters, files, widened } = rendered
    if (widened) this.#widened.add(inspection.fingerprint)
    const result = { manifests, commands, tools, notices, parameters, files }
    await cache.write(rendered.fingerprint, result)
    if (inspection.renderer === 'plugin') this.#remember(rendered.fingerprint, notices)
    return { ...result, fingerprint: rendered.fingerprint }
  }

  /** Renders a source whose files are in no commit yet; nothing of it is kept. Throws what is wrong with it. */
  async attempt(dry: DrySource, signal: AbortSignal): Promise<void> {
    const { renderers, policy } = this.#options
    const { tree, source, revision } = dry
    await this.#run(dry, await inspectSource(tree, source, revision, renderers, policy, signal), signal)
  }

  async #run(dry: DrySource, inspection: SourceInspection, signal: AbortSignal): Promise<RenderedSource> {
    const { renderers, policy, limits, sandboxRoot, workers, gitVariables } = this.#options
    const { source, revision, project } = dry
    const context = {
      source,
      revision,
      tools: renderers,
      policy,
      sandboxRoot,
      limits,
      workers,
      packagedCharts: this.#packagedCharts,
      gitCredentials: () => gitVariables({ repoURL: source.repoURL, project }, signal),
      signal,
    }
    return this.#limit(() => {
      signal.throwIfAborted()
      return renderSource(dry.tree, inspection, context)
    })
  }

  async #remarksOf(fingerprint: string): Promise<readonly string[]> {
    const known = this.#remarks.get(fingerprint)
    if (known) return known
    const rendered = await this.#options.cache.read(fingerprint)
    if (!rendered) return []
    this.#remember(fingerprint, rendered.notices)
    return rendered.notices
  }

  #remember(fingerprint: string, remarks: readonly string[]): void {
    if (this.#remarks.size >= maxRememberedSources) this.#remarks.clear()
    this.#remarks.set(fingerprint, remarks)
  }
}

function parseOptions(text: string): RenderSource['options'] {
  if (text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new InvalidInputError(`options_json is no JSON: ${errorMessage(cause)}`)
  }
  return parseSourceOptions(value, (path) => `spec.sourceHydrator.drySource.${fieldPath(path)}`)
}
