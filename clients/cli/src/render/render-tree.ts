import { join } from 'node:path'
import { type Containment, openContainment } from '@wadi/containment/containment.ts'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { openOwnedDirectory } from '@wadi/containment/owned-directory.ts'
import { asDefaultTools } from '@wadi/hydration/tool-versions.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { inspectSource } from '@wadi/rendering/inspection/inspect-source.ts'
import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import type { RenderedFile } from '@wadi/rendering/run/render-run.ts'
import { renderPlan, renderSource } from '@wadi/rendering/run/render-source.ts'
import { RepeatScans } from '@wadi/rendering/run/repeat/repeat-scan.ts'
import { judgeRepeat, refuseDifference, repeatWarnings } from '@wadi/rendering/run/repeat/repeat-verdict.ts'
import { withRecordedBuilds } from '@wadi/renderer-tools/recorded-builds.ts'
import { withDefaults } from '@wadi/renderer-tools/tool-pins.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { LocalPlugins } from './local-commands.ts'
import { localChoice } from './local-policy.ts'
import { type KeptVersions, nothingKept, type VersionReport, versionReport } from '../tools/kept-versions.ts'

/** The result of a local render. */
export interface LocalRender {
  /** The bytes of manifest.yaml. */
  manifest: string
  /** One compact JSON text an object, in the order of `manifest`. */
  manifests: readonly string[]
  /** The position of each among what the tool printed; empty if it printed them in this order. */
  printed: readonly number[]
  /** The origins of the objects, as far as the render recorded them. */
  origins: RenderRecord['origins']
  /** The files of the branch besides the manifest, below `files/`. */
  files: readonly RenderedFile[]
  /** The renderers that ran, with their versions. */
  tools: ReadonlyArray<{ readonly name: string; readonly version: string; readonly sha256: string }>
  /** Warnings for the user. */
  warnings: readonly string[]
  /** The versions that rendered, where they are not the default here. */
  versions: VersionReport
}

/** A source that was looked at and can be rendered. */
export interface InspectedTree {
  readonly inspection: SourceInspection
  /** The versions that render, where they are not the default here. */
  readonly versions: VersionReport
  /** Throws what the renderers throw. */
  render(): Promise<LocalRender>
  /**
   * Renders twice what may differ from render to render, and reports what does.
   * @throws InvalidInputError for a difference if the repository is strict
   */
  renderTwice(): Promise<LocalRender>
}

/**
 * Renders a source on this machine as the server does, with the renderers found here and the given plugins.
 * @throws InvalidInputError and the other domain errors of the renderers, CommandFailure for values that nothing takes
 */
export async function renderTree(
  tree: FileTree,
  source: RenderSource,
  revision: string,
  plugins: LocalPlugins,
  signal: AbortSignal,
  kept: KeptVersions = nothingKept,
): Promise<LocalRender> {
  const inspected = await inspectTree(tree, source, revision, plugins, signal, kept)
  return inspected.renderTwice()
}

/**
 * The same in two steps, for those who want to see what will be rendered first.
 * @param kept the versions that render what names none in git, where this machine has them; by default its own
 */
export async function inspectTree(
  tree: FileTree,
  source: RenderSource,
  revision: string,
  plugins: LocalPlugins,
  signal: AbortSignal,
  kept: KeptVersions = nothingKept,
): Promise<InspectedTree> {
  const { policy, limits, tools: own, memoryBytes } = await localChoice(process.env, signal)
  const wanted = asDefaultTools(kept.versions)
  const chosen = wanted ? await withDefaults(own, wanted) : own
  const tools = kept.digests ? await withRecordedBuilds(chosen, kept.digests) : chosen
  const renderers = { ...tools, plugins, commands: plugins.commands }
  const inspection = await inspectSource(tree, source, revision, renderers, policy, signal)
  if (source.trial !== undefined && !inspection.plan.takesTrialValues) {
    throw new CommandFailure(
      `${source.path || '.'} is rendered by ${inspection.renderer}, which takes no values: --values and --set-values are for packages, workloads and charts`,
    )
  }
  const versions = versionReport(inspection.plan.tools, { pins: inspection.pins, kept, tools: own })
  const run = async (isTwice: boolean): Promise<LocalRender> => {
    await using scratch = await openOwnedDirectory('wadi-render-')
    await using containment = await openLocalContainment(scratch.path, memoryBytes)
    await using workers = new ManifestWorkers({ threads: 1 })
    const context = {
      source,
      revision,
      tools: renderers,
      policy,
      sandboxRoot: scratch.path,
      containment,
      limits,
      workers,
      signal,
    }
    const rendered = await renderSource(tree, inspection, context)
    const again = async (from: FileTree) => renderPlan(from, inspection, context)
    const judged = { tree, inspection, scans: new RepeatScans(), signal }
    const verdict = isTwice ? await judgeRepeat(judged, rendered, again) : undefined
    refuseDifference(inspection, verdict)
    const { manifests, files, record } = rendered
    const manifest = emitManifests(manifests.map((text) => manifestFromJson(text)))
    const usesHelm = record.tools.some(({ name }) => name === 'helm')
    const passedOver = usesHelm ? (tools.passedOver ?? []) : []
    const warnings = [...passedOver, ...inspection.warnings, ...record.warnings, ...repeatWarnings(verdict)]
    const { printed, origins, tools: ran } = record
    return { manifest, manifests, printed, origins, files, tools: ran, warnings, versions }
  }
  return { inspection, versions, render: async () => run(false), renderTwice: async () => run(true) }
}

/** The bounds that a server gives renderers. */
export async function openLocalContainment(directory: string, memoryBytes: number): Promise<Containment> {
  return await openContainment({
    directory: join(directory, 'containment'),
    memoryBytes,
    programDirectories: pathDirectories(process.env['PATH']),
    hidden: [],
    warn: () => undefined,
  })
}
