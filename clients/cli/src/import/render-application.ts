import { renderedSide } from '@wadi/changes/applications/rendered-side.ts'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { joinManifests } from '@wadi/manifests/join-manifests.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type Application, parseApplication } from '@wadi/resources/application/application.ts'
import { type DrySource, drySourcesOf, isRendered } from '@wadi/resources/application/dry-sources.ts'
import { defaultLayout, layoutOf } from '@wadi/resources/application/layout.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { plainSources } from '../applications/plain-sources.ts'
import type { LocalSource } from '../diff/local/local-renderer.ts'
import { openSources } from '../diff/local/source-files.ts'
import { clusterNotes } from './cluster-notes.ts'
import type { ImportContext } from './import-context.ts'
import { unnamedReleases } from './release-names.ts'

/** The parts of an import that a render needs. */
export type RenderParts = Pick<ImportContext, 'side' | 'elsewhere' | 'renderer'>

/**
 * Returns the objects of an Application, with values that differ from render to render masked. One that is not hydrated is
 * rendered as Argo CD does, with its name for the releases that have none.
 * @throws what the renderers throw, and FailedPreconditionError for a source that cannot be read
 */
export async function renderApplication(
  manifest: Manifest,
  parts: RenderParts,
): Promise<readonly Manifest[]> {
  const { application, locals } = await opened(manifest, parts)
  // Argo CD knows no layout.
  const layout = application.hydrated ? layoutOf(application.annotations, {}) : defaultLayout
  const objects: Manifest[] = []
  for (const local of locals) {
    const rendered = await parts.renderer.render(local)
    const random = await parts.renderer.random(local, rendered)
    const { manifests, files } = rendered
    const side = renderedSide({ manifests, files, record: { random } }, layout)
    objects.push(...side.manifests)
  }
  return joinManifests(objects).manifests
}

/** Returns sentences on where Argo CD may render other objects than this machine does. */
export async function renderNotes(manifest: Manifest, parts: RenderParts): Promise<string[]> {
  const { locals } = await opened(manifest, parts)
  const notes = locals.map(async (local) => clusterNotes(local.tree, await parts.renderer.inspection(local)))
  return [...new Set((await Promise.all(notes)).flat())]
}

async function opened(
  manifest: Manifest,
  parts: RenderParts,
): Promise<{ application: Application; locals: LocalSource[] }> {
  const application = parseApplication(checkedResource(manifest))
  const sources = application.hydrated
    ? drySourcesOf(application.hydrated)
    : await withReleaseNames(application, plainSources(objectAt(manifest, 'spec')), parts)
  const wanted = sources.flatMap((source, position) => (isRendered(source) ? [position] : []))
  return { application, locals: await openSources(application, sources, wanted, parts) }
}

async function withReleaseNames(
  application: Application,
  sources: readonly DrySource[],
  parts: RenderParts,
): Promise<DrySource[]> {
  const unnamed = await unnamedReleases(application, sources, parts)
  const { name: releaseName } = application.metadata
  return sources.map((source, position) =>
    unnamed.includes(position) ? { ...source, helm: { ...source.helm, releaseName } } : source,
  )
}
