import { availableParallelism } from 'node:os'
import pLimit, { type LimitFunction } from 'p-limit'
import { Reuse } from '@wadi/incremental/reuse.ts'
import type { Containment } from '@wadi/containment/containment.ts'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { DefaultTools, Source } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FastGuard } from '@wadi/engines/guard/fast-guard.ts'
import type { OutsideWay } from '@wadi/renderer-tools/outside-way.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { InspectionCache } from '@wadi/rendering/inspection/inspection-cache.ts'
import { inspectSource } from '@wadi/rendering/inspection/inspect-source.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import { PackagedCharts } from '@wadi/rendering/run/cache/packaged-charts.ts'
import { renderPlan, renderSource } from '@wadi/rendering/run/render-source.ts'
import { defaultRenderers } from '@wadi/rendering/renderers/renderers.ts'
import type { Rendered, RenderContext, RenderLimits } from '@wadi/rendering/run/render-run.ts'
import type { RenderTools } from '@wadi/rendering/plan/renderer.ts'
import { commandsNotRun, withoutCommands } from '@wadi/rendering/inspection/without-commands.ts'
import type { CurrentTools } from '@wadi/renderer-tools/current-tools.ts'
import { knownVersions } from '@wadi/renderer-tools/list-tools.ts'
import { RepeatScans } from '@wadi/rendering/run/repeat/repeat-scan.ts'
import {
  judgeRepeat,
  lacksFields,
  refuseDifference,
  repeatWarnings,
  type RepeatVerdict,
  withVerdict,
} from '@wadi/rendering/run/repeat/repeat-verdict.ts'
import type { RenderPolicy, RenderSource } from '@wadi/rendering/source/source.ts'
import { CurrentRenderers } from './current-renderers.ts'
import type { GitVariables } from './git-variables.ts'
import { inOwnName, ownKey } from './own-key.ts'
import type { RenderResults } from '@wadi/rendering/run/cache/render-cache.ts'
import { RequestedSources } from './requested-sources.ts'
import { RenderChanges } from './render-changes.ts'
import type { RendersUnderWay } from './renders-under-way.ts'
import { openRenderFacts } from './render-facts.ts'
import { Places } from '@wadi/concurrency/places.ts'

/** The parts of rendering: the tools and plugins, the operator's policy and the containment. */
export interface RendererOptions {
  renderers: RenderTools
  /** Finds the tools again that are replaced; without it they are those of `renderers` for good. */
  tools?: CurrentTools
  /** The read credentials of a repository as variables, for plugins that want them. */
  gitVariables: GitVariables
  /** Returns the connection of tools to servers for a project; by default that of the machine. */
  wayTo?: (servers: readonly string[], project: string) => Promise<OutsideWay>
  policy: RenderPolicy
  limits: RenderLimits
  /** Directory for the sandboxes. */
  sandboxRoot: string
  /** Runs the tools. */
  containment: Containment
  cache: RenderResults
  reuse?: Reuse
  workers: ManifestWorkers
  /** Trusts renders within this process; without it tools render everything. */
  guard?: FastGuard | undefined
  /** Knows at the next start what this process rendered when it was killed. */
  underWay?: RendersUnderWay
  /** The maximum number of tools at a time; 0 for one per core. */
  parallelism: number
  /** The maximum number of sources remembered, with the known facts of each; the least recently used are forgotten. Default: 50,000. */
  maxSources?: number
}

/** A source of a commit as this service reads it. */
export interface DrySource {
  tree: FileTree
  revision: string
  /** The project whose credentials are used. */
  project: string
  source: RenderSource
  /** True if neither plugins nor actions and ytt may run for it; false by default. */
  withoutCommands?: boolean
  /** The versions of tools that have to render, as `ResolveRevisions` names them; empty for those that are here. */
  tools?: string
  /** The versions that render what names none in git; absent for the installation's own. */
  defaultTools?: DefaultTools | undefined
}

/** The inspection of a source, and the facts known of its result. */
export interface Inspected {
  readonly inspection: SourceInspection
  readonly fingerprint: string
  readonly warnings: readonly string[]
  /** The keys that `changes` names when a render changes fingerprint or warnings, and further paths that decide them. */
  readonly keys: readonly string[]
  /** True if the fingerprint is of the whole repository. */
  readonly isWidened: boolean
}

/** Options of rendering a source. */
interface RunOptions<Result> {
  readonly signal: AbortSignal
  readonly render: (tree: FileTree, inspection: SourceInspection, context: RenderContext) => Promise<Result>
  /** True to render everything with tools: a tree with another clock has the ids of the files with the true one. */
  readonly byTools?: boolean
}

/** Renders under way beside the tools that may run, so that threads have work while files of others are read and written. */
const rendersAhead = 2

/** Inspects and renders sources; equal fingerprints of one project and repository are rendered once. */
export class SourceRenderer {
  #options: RendererOptions
  readonly #cache: InspectionCache
  readonly #renderers: CurrentRenderers
  #packagedCharts = new PackagedCharts()
  readonly #sandboxes: Places
  #limit: LimitFunction
  readonly #sources: RequestedSources
  /** The keys of the facts that renders found out about sources since they were inspected. */
  readonly changes = new RenderChanges()
  /** These facts. */
  readonly facts: ReturnType<typeof openRenderFacts>
  readonly #scans = new RepeatScans()

  constructor(options: RendererOptions) {
    const { reuse = new Reuse(), cache, maxSources: max = 50_000 } = options
    this.#options = options
    this.#cache = new InspectionCache(reuse, max)
    this.#renderers = new CurrentRenderers(options.renderers, options.tools)
    this.#sources = new RequestedSources(options.renderers.renderers ?? defaultRenderers, reuse, max)
    this.facts = openRenderFacts(cache, this.changes, { reuse, max })
    const tools = options.parallelism || availableParallelism()
    this.#sandboxes = new Places(tools, 'a renderer')
    this.#limit = pLimit(tools + rendersAhead)
  }

  /** The identity of the renderers and of what the operator allows them. */
  async identity(): Promise<string> {
    return `${await this.#renderers.identity()}, ${JSON.stringify(this.#options.policy)}`
  }

  /** The versions of the tools that render now. */
  async tools(): Promise<string> {
    return this.#renderers.versions()
  }

  /** The versions that can render, the installation's own of each tool first, and those that may be downloaded beside them. */
  async versions(): Promise<ReturnType<typeof knownVersions>> {
    return knownVersions(await this.#renderers.now())
  }

  /** Reads a source of a request, once for all requests that name it. */
  readSource(repoUrl: string, request: Source): RenderSource {
    return this.#sources.read(repoUrl, request)
  }

  /**
   * Returns what decides a source's result, with the warnings of the inspection, of its earlier render and of what differs
   * between renders.
   */
  async inspect(dry: DrySource, signal: AbortSignal): Promise<Inspected> {
    const inspection = await this.#inspect(dry, signal)
    const { fingerprint: narrow, widenedFingerprint, warnings } = inspection
    const isWidened = this.facts.widened.has(narrow)
    const fingerprint = isWidened ? await widenedFingerprint(dry.tree, dry.revision) : narrow
    const own = ownKey(dry, fingerprint)
    const judged = inOwnName(dry, inspection)
    const found = [...(await this.facts.warnings.find(own)), ...repeatWarnings(await this.#verdictOn(judged))]
    const keys = [narrow, own, judged.repeatKey]
    return { inspection, fingerprint, warnings: [...warnings, ...found], keys, isWidened }
  }

  /**
   * Renders a source; unless it has to be fresh, from the cache when its fingerprint was rendered before. What was never
   * rendered before is rendered twice, if that can make a difference. `cached` is true for a result from the cache.
   * @throws InvalidInputError for a difference if the repository is strict, beside what is wrong with the source
   */
  async render(
    given: DrySource,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<Rendered & { fingerprint: string; cached: boolean }> {
    const { cache } = this.#options
    const dry = { ...given, tools: given.tools || (await this.tools()) }
    const { inspection, fingerprint } = await this.inspect(dry, signal)
    const seen = fresh ? undefined : await this.#verdictOn(inOwnName(dry, inspection))
    // The files of a plugin's source are not part of its verdict, and they may have been fixed.
    const isFinal = seen !== undefined && (!inspection.hasPlugins || seen.difference === '')
    if (isFinal) refuseDifference(inspection, seen)
    const known = fresh ? undefined : await cache.read(ownKey(dry, fingerprint))
    if (known) {
      await this.facts.warnings.record(ownKey(dry, fingerprint), known.record.warnings)
      const verdict = lacksFields(inspection, seen)
        ? await this.#judge(dry, inspection, { first: known, seen }, signal)
        : seen
      return { ...withVerdict(known, verdict), fingerprint, cached: true }
    }
    if (dry.withoutCommands && inspection.hasPlugins) throw commandsNotRun('its plugin')
    const rendered = await this.#run(dry, inspection, { signal, render: renderSource })
    const verdict =
      inspection.isStrict || !isFinal || lacksFields(inspection, seen)
        ? await this.#judge(dry, inspection, { first: rendered, seen }, signal)
        : seen
    refuseDifference(inspection, verdict)
    if (rendered.widened) this.facts.widened.add(inspection.fingerprint)
    await cache.write(ownKey(dry, rendered.fingerprint), rendered)
    await this.facts.warnings.record(ownKey(dry, rendered.fingerprint), rendered.record.warnings)
    return { ...withVerdict(rendered, verdict), fingerprint: rendered.fingerprint, cached: false }
  }

  /** Without commands a source is still what it was with them, as long as nothing that was read of it changed. */
  async #inspect(dry: DrySource, signal: AbortSignal): Promise<SourceInspection> {
    const { policy } = this.#options
    const renderers = await this.#renderers.ofVersions(dry.tools, dry.defaultTools)
    const { tree, source, revision } = dry
    if (dry.withoutCommands !== true)
      return this.#cache.inspect(tree, source, revision, renderers, policy, signal)
    const known = await this.#cache.recall(tree, source, revision, renderers, policy)
    return known ?? this.#cache.inspect(tree, source, revision, withoutCommands(renderers), policy, signal)
  }

  /** Returns the verdict on a source; undefined if it was not rendered twice so far. */
  async #verdictOn({ plan, repeatKey }: SourceInspection): Promise<RepeatVerdict | undefined> {
    return plan.repeatability && this.facts.verdicts.find(repeatKey)
  }

  /** Renders a source whose files are in no commit yet, once: nothing is cached. */
  async attempt(given: DrySource, signal: AbortSignal): Promise<Rendered> {
    const { policy } = this.#options
    const dry = { ...given, tools: await this.tools() }
    const renderers = await this.#renderers.ofVersions(dry.tools, dry.defaultTools)
    const { tree, source, revision } = dry
    const inspection = await inspectSource(tree, source, revision, renderers, policy, signal)
    const rendered = await this.#run(dry, inspection, { signal, render: renderPlan })
    const verdict = inspection.hasPlugins ? undefined : await this.#compare(dry, inspection, rendered, signal)
    return withVerdict(rendered, verdict, inspection.warnings)
  }

  /** Judges a result and keeps the verdict; `seen` is kept where it cannot be judged again. */
  async #judge(
    dry: DrySource,
    inspection: SourceInspection,
    { first, seen }: { first: Rendered; seen: RepeatVerdict | undefined },
    signal: AbortSignal,
  ): Promise<RepeatVerdict | undefined> {
    const judged = await this.#compare(dry, inspection, first, signal)
    const verdict = judged ?? (seen && { random: [], ...seen })
    if (verdict) await this.facts.verdicts.record(inOwnName(dry, inspection).repeatKey, verdict)
    return verdict
  }

  async #compare(
    dry: DrySource,
    inspection: SourceInspection,
    first: Rendered,
    signal: AbortSignal,
  ): Promise<RepeatVerdict | undefined> {
    const judged = { tree: dry.tree, inspection, scans: this.#scans, signal }
    const again = async (tree: FileTree): Promise<Rendered> =>
      this.#run({ ...dry, tree }, inspection, { signal, render: renderPlan, byTools: true })
    return judgeRepeat(judged, first, again)
  }

  async #run<Result>(
    dry: DrySource,
    inspection: SourceInspection,
    { signal, render, byTools = false }: RunOptions<Result>,
  ): Promise<Result> {
    const { policy, limits, sandboxRoot, containment, workers, guard, gitVariables, wayTo } = this.#options
    const { source, revision, project } = dry
    const context = {
      source,
      revision,
      tools: await this.#renderers.ofVersions(dry.tools, dry.defaultTools),
      policy,
      sandboxRoot,
      sandboxes: this.#sandboxes,
      limits,
      containment,
      workers,
      packagedCharts: this.#packagedCharts,
      fast: guard === undefined || byTools ? undefined : { guard, isStrict: inspection.isStrict },
      ...(wayTo && { wayTo: (servers: readonly string[]) => wayTo(servers, project) }),
      gitCredentials: () => gitVariables({ repoUrl: source.repoUrl, project }, signal),
      signal,
    }
    const { underWay } = this.#options
    const work = async (): Promise<Result> => {
      signal.throwIfAborted()
      try {
        return await render(dry.tree, inspection, context)
      } catch (error) {
        if (error instanceof UnavailableError) this.#renderers.doubt()
        throw error
      }
    }
    const key = ownKey(dry, inspection.fingerprint)
    return await (underWay?.run(key, this.#limit, work) ?? this.#limit(work))
  }
}
