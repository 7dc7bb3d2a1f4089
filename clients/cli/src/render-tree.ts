import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { FileTree } from '@wadi/rendering/file-tree.ts'
import { findTools } from '@wadi/rendering/find-tools.ts'
import { inspectSource } from '@wadi/rendering/inspect-source.ts'
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

/**
 * Renders a source on this machine as the server does, with the renderers found here.
 * @throws InvalidInputError and the other domain errors of the renderers
 */
export async function renderTree(
  tree: FileTree,
  source: RenderSource,
  revision: string,
  signal: AbortSignal,
): Promise<LocalRender> {
  const tools = await findTools({ cacheDirectory: toolFolder(process.env), signal })
  const inspection = await inspectSource(tree, source, revision, tools, policy)
  await using workers = new ManifestWorkers({ threads: 1 })
  const rendered = await renderSource(tree, inspection, {
    source,
    revision,
    tools,
    policy,
    sandboxRoot: tmpdir(),
    limits: defaultRenderLimits,
    workers,
    signal,
  })
  return {
    manifest: emitManifests(rendered.manifests.map((manifest) => manifestFromJson(manifest))),
    manifests: rendered.manifests,
    tools: rendered.tools,
    notices: inspection.notices,
  }
}

function toolFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'wadi', 'tools')
}
