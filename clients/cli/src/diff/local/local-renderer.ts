import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import { RenderCache } from '@wadi/rendering/cache/render-cache.ts'
import { FingerprintMemo } from '@wadi/rendering/fingerprint-memo.ts'
import type { Rendered, RenderContext } from '@wadi/rendering/render-run.ts'
import { findTools } from '@wadi/rendering/sandbox/find-tools.ts'
import type { RenderSource } from '@wadi/rendering/source.ts'
import type { SourceInspection } from '@wadi/rendering/source-inspection.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import type { LocalPlugins } from '../../render/local-commands.ts'
import { localPolicy, toolFolder } from '../../render/local-policy.ts'

/** The most bytes of renders that are kept between runs. */
const maxCacheBytes = 512 * 1024 ** 2

/** A source at one revision. */
export interface LocalSource {
  readonly tree: FileTree
  /** The id of the commit, or of the tree of a working copy. */
  readonly revision: string
  readonly source: RenderSource
}

/** The renderers that are found here, and plugins. */
type LocalTools = Parameters<FingerprintMemo['inspect']>[3]

/** What only a render needs, and most runs after the first do not. */
type RenderParts = Pick<RenderContext, 'sandboxRoot' | 'containment' | 'workers' | 'packagedCharts'>

/** Inspects and renders sources on this machine as a server does, and keeps what it rendered for later runs. */
export class LocalRenderer implements AsyncDisposable {
  readonly #tools: LocalTools
  readonly #cache: RenderCache
  readonly #owned = new AsyncDisposableStack()
  readonly #signal: AbortSignal
  readonly #memo = new FingerprintMemo()
  readonly #inspections = new WeakMap<LocalSource, Promise<SourceInspection>>()
  #parts: Promise<RenderParts> | undefined

  private constructor(tools: LocalTools, cache: RenderCache, signal: AbortSignal) {
    this.#tools = tools
    this.#cache = this.#owned.use(cache)
    this.#signal = signal
  }

  /** Finds the renderers; what was rendered is kept below `XDG_CACHE_HOME`. */
  static async open(
    environment: NodeJS.ProcessEnv,
    plugins: LocalPlugins,
    signal: AbortSignal,
  ): Promise<LocalRenderer> {
    const found = await findTools({ cacheDirectory: toolFolder(environment), signal })
    const tools = { ...found, plugins, commands: plugins.commands }
    return new LocalRenderer(tools, new RenderCache(renderFolder(environment), maxCacheBytes), signal)
  }

  /** What decides the result of a source. */
  async inspect(local: LocalSource): Promise<SourceInspection> {
    const known = this.#inspections.get(local)
    if (known) return known
    const { tree, source, revision } = local
    const inspecting = this.#memo.inspect(tree, source, revision, this.#tools, localPolicy, this.#signal)
    this.#inspections.set(local, inspecting)
    return inspecting
  }

  /** The result of a source, from an earlier run where that is known. */
  async render(local: LocalSource): Promise<Rendered> {
    const inspection = await this.inspect(local)
    const known = await this.#cache.read(inspection.fingerprint)
    if (known) return known
    this.#parts ??= this.#openParts()
    const { defaultRenderLimits, renderSource } = await import('@wadi/rendering/render-source.ts')
    const rendered = await renderSource(local.tree, inspection, {
      ...(await this.#parts),
      source: local.source,
      revision: local.revision,
      tools: this.#tools,
      policy: localPolicy,
      limits: defaultRenderLimits,
      signal: this.#signal,
    })
    await this.#cache.write(rendered.fingerprint, rendered)
    return rendered
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#parts) await this.#cache.shrink()
    await this.#owned.disposeAsync()
  }

  async #openParts(): Promise<RenderParts> {
    const { openOwnedFolder } = await import('@wadi/containment/owned-folder.ts')
    const { ManifestWorkers } = await import('@wadi/rendering/manifest-workers.ts')
    const { PackagedCharts } = await import('@wadi/rendering/helm/packaged-charts.ts')
    const { openLocalContainment } = await import('../../render/render-tree.ts')
    const scratch = this.#owned.use(await openOwnedFolder('wadi-diff-render-'))
    const containment = this.#owned.use(await openLocalContainment(scratch.path))
    const workers = this.#owned.use(new ManifestWorkers({ threads: Math.min(2, availableParallelism()) }))
    return { sandboxRoot: scratch.path, containment, workers, packagedCharts: new PackagedCharts() }
  }
}

function renderFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'wadi', 'renders')
}
