import { availableParallelism } from 'node:os'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/file-tree.ts'
import type { Tools } from '@wadi/rendering/find-tools.ts'
import { FingerprintMemo } from '@wadi/rendering/fingerprint-memo.ts'
import type { SourceInspection } from '@wadi/rendering/inspect-source.ts'
import type { ManifestWorkers } from '@wadi/rendering/manifest-workers.ts'
import { PackagedCharts } from '@wadi/rendering/packaged-charts.ts'
import { renderSource } from '@wadi/rendering/render-source.ts'
import type { Rendered, RenderLimits } from '@wadi/rendering/render-run.ts'
import {
  fieldPath,
  parseSourceOptions,
  type RenderPolicy,
  type RenderSource,
} from '@wadi/rendering/source.ts'
import type { RenderCache } from './render-cache.ts'
import { Semaphore } from './semaphore.ts'

/** What renders: the tools, what the operator allows and where it happens. */
export interface RendererOptions {
  tools: Tools
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
  source: RenderSource
}

const maxRememberedSources = 50_000

/** Inspects and renders sources; equal fingerprints are rendered once. */
export class SourceRenderer {
  #options: RendererOptions
  #memo = new FingerprintMemo(maxRememberedSources)
  #packagedCharts = new PackagedCharts()
  #permits: Semaphore
  #sources = new Map<string, RenderSource>()
  /** Narrow fingerprints of sources that turned out to need the whole repository. */
  #widened = new Set<string>()

  constructor(options: RendererOptions) {
    this.#options = options
    this.#permits = new Semaphore(options.parallelism || availableParallelism())
  }

  /** The identity of the renderers and of what the operator allows them. */
  get renderers(): string {
    const { tools, policy } = this.#options
    return `helm ${tools.helm.version}, kustomize ${tools.kustomize.version}, ${JSON.stringify(policy)}`
  }

  /** Reads a source of a request, once for all requests that name it. */
  readSource(repoURL: string, request: Source): RenderSource {
    const { path, optionsJson, destinationNamespace, applicationName, targetRevision } = request
    const key = [repoURL, path, optionsJson, destinationNamespace, applicationName, targetRevision].join('\0')
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
    }
    this.#sources.set(key, source)
    return source
  }

  async inspect(dry: DrySource): Promise<{ inspection: SourceInspection; fingerprint: string }> {
    const { tools, policy } = this.#options
    const inspection = await this.#memo.inspect(dry.tree, dry.source, dry.revision, tools, policy)
    const { fingerprint, widenedFingerprint } = inspection
    return {
      inspection,
      fingerprint: this.#widened.has(fingerprint) ? await widenedFingerprint(dry.tree) : fingerprint,
    }
  }

  /** Renders a source; unless it has to be fresh, from the cache when its fingerprint was rendered before. */
  async render(
    dry: DrySource,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<Rendered & { fingerprint: string }> {
    const { cache, tools, policy, limits, sandboxRoot, workers } = this.#options
    const { inspection, fingerprint } = await this.inspect(dry)
    const known = fresh ? undefined : await cache.read(fingerprint)
    if (known) return { ...known, fingerprint }
    const { source, revision } = dry
    const context = {
      source,
      revision,
      tools,
      policy,
      sandboxRoot,
      limits,
      workers,
      packagedCharts: this.#packagedCharts,
      signal,
    }
    const rendered = await this.#permits.run(signal, () => renderSource(dry.tree, inspection, context))
    const { manifests, commands, tools: used, widened } = rendered
    if (widened) this.#widened.add(inspection.fingerprint)
    await cache.write(rendered.fingerprint, { manifests, commands, tools: used })
    return { manifests, commands, tools: used, fingerprint: rendered.fingerprint }
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
