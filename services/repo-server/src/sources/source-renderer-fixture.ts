import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { SourceSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import {
  RenderFixture,
  strictPolicy,
  testContainment,
  testRevision,
  testTools,
} from '@wadi/rendering/run/render-fixture.ts'
import { defaultRenderLimits } from '@wadi/rendering/run/render-source.ts'
import type { RenderPolicy } from '@wadi/rendering/source/source.ts'
import { RenderCache } from '@wadi/rendering/run/cache/render-cache.ts'
import { GatedRenderer } from './gated-renderer.ts'
import { type DrySource, SourceRenderer } from './source-renderer.ts'

/** The repository of the sources. */
export const repoURL = 'https://git.example.com/team/apps.git'

/** A ConfigMap's YAML. */
export function configMap(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
}

/**
 * A renderer of sources in a directory with these files, and its cache.
 * @param workers for a test that closes them; by default those that tests share
 */
export async function startBed(
  files: Record<string, string>,
  plugins = noPlugins,
  workers?: ManifestWorkers,
) {
  await using stack = new AsyncDisposableStack()
  const fixture = stack.use(new RenderFixture(await testTools(), files, plugins))
  const cacheDirectory = join(fixture.sandboxRoot, '..', 'renders')
  const cache = stack.use(new RenderCache(cacheDirectory, 1_000_000))
  const open = (policy: RenderPolicy = strictPolicy, maxSources?: number) =>
    new SourceRenderer({
      renderers: fixture.tools,
      gitVariables: async ({ repoUrl: url, project }) => [{ name: 'GIT_ASKED', value: `${url} ${project}` }],
      policy,
      limits: defaultRenderLimits,
      sandboxRoot: fixture.sandboxRoot,
      containment: testContainment,
      cache,
      workers: workers ?? fixture.workers,
      parallelism: 1,
      ...(maxSources !== undefined && { maxSources }),
    })
  const renderer = open()
  const gated = stack.use(new GatedRenderer(renderer, () => '2027-01-31'))
  const dry = (path: string, optionsJson = ''): DrySource => ({
    tree: openDirectoryTree(fixture.directory),
    revision: testRevision,
    project: 'team',
    source: renderer.readSource(repoURL, create(SourceSchema, { path, optionsJson, applicationName: 'web' })),
  })
  const cached = async () =>
    (await readdir(cacheDirectory, { recursive: true })).filter((name) => name.includes('/')).length
  const owned = stack.move()
  return {
    renderer,
    gated,
    open,
    dry,
    fixture,
    cache,
    cached,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The names of objects in JSON. */
export function names(manifests: readonly string[]): string[] {
  return manifests.map((text) => (JSON.parse(text) as { metadata: { name: string } }).metadata.name)
}
