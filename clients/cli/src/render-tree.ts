import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { FileTree } from '@wadi/rendering/file-tree.ts'
import { findTools } from '@wadi/rendering/find-tools.ts'
import { inspectSource, type SourceInspection } from '@wadi/rendering/inspect-source.ts'
import type { Plugins } from '@wadi/rendering/plugins.ts'
import { ManifestWorkers } from '@wadi/rendering/manifest-workers.ts'
import { defaultRenderLimits, renderSource } from '@wadi/rendering/render-source.ts'
import type { RenderPolicy, RenderSource } from '@wadi/rendering/source.ts'

/** What a local render yields. */
export interface LocalRender {
  /** The bytes of manifest.yaml. */
  manifest: string
  /** One compact JSON text an object, in the order of `manifest`. */
  manifests: readonly string[]
  /** The renderers that ran, with their versions. */
  tools: ReadonlyArray<{ readonly name: string; readonly version: string }>
  /** What the user should know although nothing is wrong. */
  notices: readonly string[]
}

// What a server allows unless its operator widens it.
const policy: RenderPolicy = { allowRemoteBases: false, allowRemoteCharts: false, kustomizeBuildOptions: [] }

/** A source that was looked at and can be rendered. */
export interface InspectedTree {
  readonly inspection: SourceInspection
  /** Throws what the renderers throw. */
  render(): Promise<LocalRender>
}

/**
 * Renders a source on this machine as the server does, with the renderers found here and the given plugins.
 * @throws InvalidInputError and the other domain errors of the renderers
 */
export async function renderTree(
  tree: FileTree,
  source: RenderSource,
  revision: string,
  plugins: Plugins,
  signal: AbortSignal,
): Promise<LocalRender> {
  const inspected = await inspectTree(tree, source, revision, plugins, signal)
  return inspected.render()
}

/** The same in two steps, for those who want to see what will be rendered first. */
export async function inspectTree(
  tree: FileTree,
  source: RenderSource,
  revision: string,
  plugins: Plugins,
  signal: AbortSignal,
): Promise<InspectedTree> {
  const renderers = { ...(await findTools({ cacheDirectory: toolFolder(process.env), signal })), plugins }
  const inspection = await inspectSource(tree, source, revision, renderers, policy, signal)
  const render = async (): Promise<LocalRender> => {
    await using workers = new ManifestWorkers({ threads: 1 })
    const { manifests, tools, notices } = await renderSource(tree, inspection, {
      source,
      revision,
      tools: renderers,
      policy,
      sandboxRoot: tmpdir(),
      limits: defaultRenderLimits,
      workers,
      signal,
    })
    const manifest = emitManifests(manifests.map((text) => manifestFromJson(text)))
    return { manifest, manifests, tools, notices: [...inspection.notices, ...notices] }
  }
  return { inspection, render }
}

/** Where renderers are unpacked that this machine lacks. */
export function toolFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'wadi', 'tools')
}
