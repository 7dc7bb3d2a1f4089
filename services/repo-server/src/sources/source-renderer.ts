import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Containment } from '@wadi/containment/containment.ts'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import type { Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import { FingerprintMemo } from '@wadi/rendering/fingerprint-memo.ts'
import { inspectSource } from '@wadi/rendering/inspect-source.ts'
import type { SourceInspection } from '@wadi/rendering/source-inspection.ts'
import type { ManifestWorkers } from '@wadi/rendering/manifest-workers.ts'
import { PackagedCharts } from '@wadi/rendering/helm/packaged-charts.ts'
import { renderPlan, renderSource } from '@wadi/rendering/render-source.ts'
import type { Renderer } from '@wadi/rendering/plan/renderer.ts'
import { defaultRenderers } from '@wadi/rendering/renderers.ts'
import type { PluginVariable } from '@wadi/rendering/plugin/plugins.ts'
import type { Rendered, RenderContext, RenderLimits } from '@wadi/rendering/render-run.ts'
import type { RenderTools } from '@wadi/rendering/render-tools.ts'
import { RepeatScans } from '@wadi/rendering/repeat/repeat-scan.ts'
import {
  judgeRepeat,
  refuseDifference,
  repeatWarnings,
  type RepeatVerdict,
} from '@wadi/rendering/repeat/repeat-verdict.ts'
import { parseSourceOptions } from '@wadi/rendering/source-options.ts'
import type { RenderPolicy, RenderSource } from '@wadi/rendering/source.ts'
import { inOwnName, ownKey } from './own-key.ts'
import type { RenderCache } from './render-cache.ts'
import { RenderWarnings } from './render-warnings.ts'
import { RepeatVerdicts } from './repeat-verdicts.ts'

/** What renders: the tools and plugins, what the operator allows and where it happens. */
export interface RendererOptions {
  renderers: RenderTools
  /** The read credentials of a repository as variables, for plugins that want them. */
  gitVariables: (
    repository: { repoUrl: string; project: string },
    signal: AbortSignal,
  ) => Promise<readonly PluginVariable[]>
  policy: RenderPolicy
  limits: RenderLimits
  /** Folder for the sandboxes. */
  sandboxRoot: string
  /** Runs the tools. */
  containment: Containment
  cache: RenderCache
  workers: ManifestWorkers
  /** How many renderers run at a time; 0 for one per core. */
  parallelism: number
  /** How many sources are remembered, with what is known of each; the least recently used are forgotten. Default: 50,000. */
  maxSources?: number
}

/** A source of a commit as this service reads it. */
export interface DrySource {
  tree: FileTree
  revision: string
  /** The project whose credentials are used. */
  project: string
  source: RenderSource
}

const defaultMaxSources = 50_000

/** Inspects and renders sources; equal fingerprints of one project and repository are rendered once. */
export class SourceRenderer {
  #options: RendererOptions
  readonly #memo: FingerprintMemo
  #packagedCharts = new PackagedCharts()
  #limit: LimitFunction
  readonly #sources: LRUCache<string, RenderSource>
  /**
   * Fingerprints whose render needed more inputs than the inspection predicted; their sources use the widened one from then
   * on. One that is forgotten is found again by the next render.
   */
  readonly #widened: LRUCache<string, true>
  #warnings: RenderWarnings
  #scans = new RepeatScans()
  #verdicts: RepeatVerdicts

  constructor(options: RendererOptions) {
    const max = options.maxSources ?? defaultMaxSources
    this.#options = options
    this.#memo = new FingerprintMemo(max)
    this.#sources = new LRUCache({ max })
    this.#widened = new LRUCache({ max })
    this.#warnings = new RenderWarnings(options.cache)
    this.#verdicts = new RepeatVerdicts(options.cache)
    this.#limit = pLimit(options.parallelism || availableParallelism())
  }

  /** The identity of the renderers and of what the operator allows them. */
  async identity(): Promise<string> {
    const { renderers, policy } = this.#options
    const { helm, kustomize, plugins, commands } = renderers
    const run = commands === undefined ? 'none' : await commands.identity()
    return `helm ${helm.version}, kustomize ${kustomize.version}, plugins ${await plugins.identity()}, commands ${run}, ${JSON.stringify(policy)}`
  }

  /** Reads a source of a request, once for all requests that name it. */
  readSource(repoUrl: string, request: Source): RenderSource {
    const { path, optionsJson, destinationNamespace, applicationName, targetRevision } = request
    const { manifestGeneratePaths, instanceName, projectName } = request
    const instance = { name: instanceName || applicationName, project: projectName }
    const rest = [destinationNamespace, applicationName, targetRevision, manifestGeneratePaths, instance]
    const key = JSON.stringify([repoUrl, path, optionsJson, ...rest])
    const known = this.#sources.get(key)
    if (known) return known
    const source = {
      path,
      options: parseOptions(optionsJson, this.#options.renderers.renderers ?? defaultRenderers),
      destinationNamespace,
      applicationName,
      instance,
      repoUrl,
      targetRevision,
      manifestGeneratePaths,
    }
    this.#sources.set(key, source)
    return source
  }

  /**
   * Returns what decides a source's result, with the warnings of the inspection, of its earlier render and of what differs
   * between renders.
   */
  async inspect(
    dry: DrySource,
    signal: AbortSignal,
  ): Promise<{ inspection: SourceInspection; fingerprint: string; warnings: readonly string[] }> {
    const { renderers, policy } = this.#options
    const { tree, source, revision } = dry
    const inspection = await this.#memo.inspect(tree, source, revision, renderers, policy, signal)
    const { fingerprint: narrow, widenedFingerprint, warnings } = inspection
    const fingerprint = this.#widened.get(narrow) ? await widenedFingerprint(tree, revision) : narrow
    const rendered = await this.#warnings.find(ownKey(dry, fingerprint))
    const verdict = await this.#verdicts.find(inOwnName(dry, inspection))
    return { inspection, fingerprint, warnings: [...warnings, ...rendered, ...repeatWarnings(verdict)] }
  }

  /**
   * Renders a source; unless it has to be fresh, from the cache when its fingerprint was rendered before. What was never
   * rendered before is rendered twice, if that can make a difference.
   * @throws InvalidInputError for a difference if the repository is strict, beside what is wrong with the source
   */
  async render(
    dry: DrySource,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<Rendered & { fingerprint: string }> {
    const { cache } = this.#options
    const { inspection, fingerprint } = await this.inspect(dry, signal)
    const seen = fresh ? undefined : await this.#verdicts.find(inOwnName(dry, inspection))
    // The files of a plugin's source are not part of its verdict, and they may have been fixed.
    const isFinal = seen !== undefined && (!inspection.hasPlugins || seen.difference === '')
    if (isFinal) refuseDifference(inspection, seen)
    const known = fresh ? undefined : await cache.read(ownKey(dry, fingerprint))
    if (known) {
      await this.#warnings.remember(ownKey(dry, fingerprint), known.record.warnings)
      return { ...withWarnings(known, repeatWarnings(seen)), fingerprint }
    }
    const rendered = await this.#run(dry, inspection, signal, renderSource)
    const verdict =
      inspection.isStrict || !isFinal ? await this.#judge(dry, inspection, rendered, signal) : seen
    refuseDifference(inspection, verdict)
    if (rendered.widened) this.#widened.set(inspection.fingerprint, true)
    await cache.write(ownKey(dry, rendered.fingerprint), rendered)
    await this.#warnings.remember(ownKey(dry, rendered.fingerprint), rendered.record.warnings)
    return { ...withWarnings(rendered, repeatWarnings(verdict)), fingerprint: rendered.fingerprint }
  }

  /** Renders a source whose files are in no commit yet, for its errors alone: nothing is cached. */
  async attempt(dry: DrySource, signal: AbortSignal): Promise<void> {
    const { renderers, policy } = this.#options
    const { tree, source, revision } = dry
    const inspection = await inspectSource(tree, source, revision, renderers, policy, signal)
    await this.#run(dry, inspection, signal, renderPlan)
  }

  async #judge(
    dry: DrySource,
    inspection: SourceInspection,
    first: Rendered,
    signal: AbortSignal,
  ): Promise<RepeatVerdict | undefined> {
    const judged = { tree: dry.tree, inspection, scans: this.#scans, signal }
    const again = async (tree: FileTree): Promise<Rendered> =>
      this.#run({ ...dry, tree }, inspection, signal, renderPlan)
    const verdict = await judgeRepeat(judged, first, again)
    if (verdict) await this.#verdicts.remember(inOwnName(dry, inspection), verdict)
    return verdict
  }

  async #run<Result>(
    dry: DrySource,
    inspection: SourceInspection,
    signal: AbortSignal,
    render: (tree: FileTree, inspection: SourceInspection, context: RenderContext) => Promise<Result>,
  ): Promise<Result> {
    const { renderers, policy, limits, sandboxRoot, containment, workers, gitVariables } = this.#options
    const { source, revision, project } = dry
    const context = {
      source,
      revision,
      tools: renderers,
      policy,
      sandboxRoot,
      limits,
      containment,
      workers,
      packagedCharts: this.#packagedCharts,
      gitCredentials: () => gitVariables({ repoUrl: source.repoUrl, project }, signal),
      signal,
    }
    return this.#limit(() => {
      signal.throwIfAborted()
      return render(dry.tree, inspection, context)
    })
  }
}

function withWarnings({ manifests, files, record }: Rendered, warnings: readonly string[]): Rendered {
  return { manifests, files, record: { ...record, warnings: [...record.warnings, ...warnings] } }
}

function parseOptions(text: string, renderers: readonly Renderer[]): RenderSource['options'] {
  if (text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new InvalidInputError(`options_json is not valid JSON: ${errorMessage(cause)}`)
  }
  return parseSourceOptions(value, unplaced('', 'spec.sourceHydrator.drySource.'), renderers)
}
