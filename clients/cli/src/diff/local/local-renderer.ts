import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openRenders, type RenderResults } from '@wadi/rendering/run/cache/render-cache.ts'
import type { InspectionCache } from '@wadi/rendering/inspection/inspection-cache.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { Rendered, RenderContext } from '@wadi/rendering/run/render-run.ts'
import type { RandomValues } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import { asDefaultTools } from '@wadi/hydration/tool-versions.ts'
import { withDefaults } from '@wadi/renderer-tools/tool-pins.ts'
import { toolsIdentity } from '@wadi/renderer-tools/current-tools.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { ownIdentity } from '../../command-line/program-identity.ts'
import type { LocalPlugins } from '../../render/local-commands.ts'
import { cacheDirectory, localChoice, type LocalChoice } from '../../render/local-policy.ts'
import { type KeptVersions, type VersionReport, versionReport } from '../../tools/kept-versions.ts'
import type { SourceFacts } from './inspections-file.ts'
import { inspectionsName, type InspectionsPlace, KeptInspections } from './kept-inspections.ts'

/** The most bytes of renders that are kept between runs. */
const maxCacheBytes = 512 * 1024 ** 2

/** A source at one revision. */
export interface LocalSource {
  readonly tree: FileTree
  /** The id of the commit, or of the tree of a working copy. */
  readonly revision: string
  readonly source: RenderSource
  /** The versions that render it where it names none in git. */
  readonly kept: KeptVersions
}

/** The renderers that are found here, and plugins. */
type LocalTools = Parameters<InspectionCache['inspect']>[3]

/** The parts that only a render needs, and most runs after the first do not. */
type RenderParts = Pick<RenderContext, 'sandboxRoot' | 'containment' | 'workers' | 'packagedCharts'>

/** Inspects and renders sources on this machine as a server does, and keeps what it rendered for later runs. */
export class LocalRenderer implements AsyncDisposable {
  readonly #tools: LocalTools
  readonly #choice: LocalChoice
  readonly #cache: RenderResults
  readonly #owned = new AsyncDisposableStack()
  readonly #signal: AbortSignal
  readonly #inspections = new WeakMap<LocalSource, Promise<SourceInspection>>()
  readonly #directory: string
  readonly #withKept = new Map<string, Promise<LocalTools>>()
  readonly #lines = new Set<string>()
  readonly #warnings = new Set<string>()
  #inspectionCache: Promise<InspectionCache> | undefined
  #kept: KeptInspections | undefined
  #parts: Promise<RenderParts> | undefined

  private constructor(tools: LocalTools, choice: LocalChoice, directory: string, signal: AbortSignal) {
    this.#tools = tools
    this.#choice = choice
    this.#directory = directory
    this.#cache = this.#owned.use(openRenders(choice.reuse, join(directory, 'renders'), maxCacheBytes))
    this.#signal = signal
  }

  /** Finds the renderers; what was rendered is kept below `XDG_CACHE_HOME`. */
  static async open(
    environment: NodeJS.ProcessEnv,
    plugins: LocalPlugins,
    signal: AbortSignal,
  ): Promise<LocalRenderer> {
    const choice = await localChoice(environment, signal)
    const tools = { ...choice.tools, plugins, commands: plugins.commands }
    return new LocalRenderer(tools, choice, cacheDirectory(environment), signal)
  }

  /** Keeps inspections between runs. Plugins and commands may be others in the next one, so with these nothing is kept. */
  async keepInspections(
    repoUrl: string,
    place: Pick<InspectionsPlace, 'base' | 'treeOf' | 'warn'>,
  ): Promise<void> {
    const { plugins, commands } = this.#tools
    if (commands !== undefined || (await plugins.identity()) !== (await noPlugins.identity())) return
    const identity = JSON.stringify([ownIdentity(), toolsIdentity(this.#tools), this.#choice.policy])
    const file = join(this.#directory, 'inspections', inspectionsName(repoUrl))
    this.#kept = await this.#choice.reuse.store<Promise<KeptInspections> | undefined>(
      () => KeptInspections.open({ ...place, file, identity }),
      undefined,
    )
  }

  /** Returns the facts that decide the result of a source. */
  async inspect(local: LocalSource): Promise<SourceFacts> {
    return (
      (await this.#kept?.find(local.tree, local.source, local.kept.versions)) ??
      (await this.inspection(local))
    )
  }

  /** Returns all facts about a source before it is rendered. */
  async inspection(local: LocalSource): Promise<SourceInspection> {
    const known = this.#inspections.get(local)
    if (known) return known
    const { tree, source, revision, kept } = local
    const tools = await this.#toolsFor(kept)
    this.#inspectionCache ??= import('@wadi/rendering/inspection/inspection-cache.ts').then(
      (inspectionCache) => new inspectionCache.InspectionCache(this.#choice.reuse),
    )
    const inspectionCache = await this.#inspectionCache
    const inspecting = inspectionCache.inspect(
      tree,
      source,
      revision,
      tools,
      this.#choice.policy,
      this.#signal,
    )
    this.#inspections.set(local, inspecting)
    const inspection = await inspecting
    await this.#kept?.keep(tree, source, inspection, kept.versions)
    return inspection
  }

  /** The result of a source, from an earlier run where that is known. */
  async render(local: LocalSource): Promise<Rendered> {
    const { fingerprint } = await this.inspect(local)
    const known = await this.#cache.read(cacheKey(fingerprint))
    const rendered = known ?? (await this.#render(local))
    await this.#noteVersions(local, rendered)
    return rendered
  }

  async #render(local: LocalSource): Promise<Rendered> {
    const inspection = await this.inspection(local)
    const { renderSource } = await import('@wadi/rendering/run/render-source.ts')
    const rendered = await renderSource(local.tree, inspection, await this.#context(local))
    await this.#cache.write(cacheKey(rendered.fingerprint), rendered)
    return rendered
  }

  /** Returns what differs from render to render of a chart or kustomization. */
  async random(local: LocalSource, first: Rendered): Promise<RandomValues[]> {
    const inspection = await this.inspection(local)
    if (inspection.plan.repeatability === undefined || inspection.hasPlugins) return []
    const { judgeRepeat, randomValues } = await import('@wadi/rendering/run/repeat/repeat-verdict.ts')
    const { RepeatScans } = await import('@wadi/rendering/run/repeat/repeat-scan.ts')
    const { renderPlan } = await import('@wadi/rendering/run/render-source.ts')
    const judged = { tree: local.tree, inspection, scans: new RepeatScans(), signal: this.#signal }
    const again = async (tree: FileTree): Promise<Rendered> =>
      renderPlan(tree, inspection, await this.#context(local))
    return randomValues(await judgeRepeat(judged, first, again))
  }

  /** The versions that rendered, where they are not the default here. */
  get versions(): VersionReport {
    return { lines: [...this.#lines], warnings: [...this.#warnings] }
  }

  async #noteVersions(local: LocalSource, { record }: Rendered): Promise<void> {
    const { kept } = local
    const choice = { kept, tools: this.#tools }
    const isDefault = ({ lines, warnings }: VersionReport) => lines.length + warnings.length === 0
    if (isDefault(versionReport(record.tools, { ...choice, pins: {} }))) return
    const { pins } = await this.inspection(local)
    const { lines, warnings } = versionReport(record.tools, { ...choice, pins })
    for (const line of lines) this.#lines.add(line)
    for (const warning of warnings) this.#warnings.add(warning)
  }

  /** The renderers with the versions that a branch keeps as the default ones, as far as they are here. */
  async #toolsFor({ versions }: KeptVersions): Promise<LocalTools> {
    const wanted = asDefaultTools(versions)
    if (!wanted) return this.#tools
    return this.#withKept.getOrInsertComputed(JSON.stringify(wanted), () => withDefaults(this.#tools, wanted))
  }

  async #context({ source, revision, kept }: LocalSource): Promise<RenderContext> {
    this.#parts ??= this.#openParts()
    return {
      ...(await this.#parts),
      source,
      revision,
      tools: await this.#toolsFor(kept),
      policy: this.#choice.policy,
      limits: this.#choice.limits,
      signal: this.#signal,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#parts) await this.#cache.shrink()
    if (!this.#signal.aborted) await this.#kept?.save()
    await this.#owned.disposeAsync()
  }

  async #openParts(): Promise<RenderParts> {
    const { openOwnedDirectory } = await import('@wadi/containment/owned-directory.ts')
    const { ManifestWorkers } = await import('@wadi/rendering/run/manifests/manifest-workers.ts')
    const { PackagedCharts } = await import('@wadi/rendering/run/cache/packaged-charts.ts')
    const { openLocalContainment } = await import('../../render/render-tree.ts')
    const scratch = this.#owned.use(await openOwnedDirectory('wadi-diff-render-'))
    const containment = this.#owned.use(await openLocalContainment(scratch.path, this.#choice.memoryBytes))
    const workers = this.#owned.use(new ManifestWorkers({ threads: Math.min(2, availableParallelism()) }))
    return { sandboxRoot: scratch.path, containment, workers, packagedCharts: new PackagedCharts() }
  }
}

/** Other code may render otherwise, and words its warnings in another way. */
function cacheKey(fingerprint: string): string {
  return hash('sha256', JSON.stringify([ownIdentity(), fingerprint]))
}
