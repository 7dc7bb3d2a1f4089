import { isJsonObject } from '@wadi/fields/json-object.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type Application, parseApplication } from '@wadi/resources/application/application.ts'
import { type DrySource, drySourcesOf, isRendered } from '@wadi/resources/application/dry-sources.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { plainSources } from '../../applications/plain-sources.ts'
import { type ApplicationFiles, isApplicationKind } from './application-files.ts'
import type { DrySide } from './dry-side.ts'
import { isOfRepository } from './local-applications.ts'
import type { LocalRenderer } from './local-renderer.ts'
import { openSources, type SourcesElsewhere } from './source-files.ts'

/** The objects that an Application makes, as one whose manifests contain Applications does. */
interface RenderedChildren {
  readonly children: readonly Manifest[]
  /** Files with Applications or templates of these that it is rendered from. */
  readonly files: readonly string[]
}

/**
 * The Applications and ApplicationSets among the manifests of an Application, hydrated or not. Only sources that can read a
 * file which names one of these kinds are rendered.
 */
export async function renderedChildren(
  manifest: Manifest,
  side: DrySide,
  {
    renderer,
    elsewhere,
    files: { mentions, mentionedPlaces },
  }: { renderer: LocalRenderer; elsewhere: SourcesElsewhere; files: ApplicationFiles },
): Promise<RenderedChildren> {
  const resource = checkedResource(manifest)
  const application = parseApplication(resource)
  const children: Manifest[] = []
  const files: string[] = []
  const sources = sourcesOf(application, resource.spec ?? {})
  const wanted = sources.flatMap((source, position) =>
    isRendered(source) && isOfRepository(side.repoUrl, source) && side.isCompared(source.targetRevision)
      ? [position]
      : [],
  )
  if (wanted.length === 0) return { children, files }
  for (const local of await openSources(application, sources, wanted, { side, elsewhere })) {
    const { inputs } = await renderer.inspect(local)
    if (!inputs.some((path) => mentionedPlaces.has(path))) continue
    const { manifests } = await renderer.render(local)
    const made = manifests.map((text) => manifestFromJson(text)).filter(isApplicationKind)
    if (made.length === 0) continue
    children.push(...made.map((child) => withNamespace(child, application.destination.namespace)))
    files.push(...mentionedAmong(inputs, mentions))
  }
  return { children, files }
}

/** An object with its namespace, else the one that its Application is deployed to, else that of Wadi's own objects. */
export function withNamespace(manifest: Manifest, namespace?: string): Manifest {
  const { metadata } = manifest
  if (!isJsonObject(metadata)) return manifest
  return { ...manifest, metadata: { namespace: namespace || controlPlaneNamespace, ...metadata } }
}

/** The mentioned files among inputs, which may be directories. */
function mentionedAmong(inputs: readonly string[], mentions: ReadonlySet<string>): string[] {
  const wanted = new Set(inputs)
  return [...mentions].filter((path) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      if (wanted.has(at)) return true
      if (at === '') return false
    }
  })
}

/** The sources of an Application, hydrated or not. */
function sourcesOf(application: Application, spec: Record<string, unknown>): readonly DrySource[] {
  return application.hydrated ? drySourcesOf(application.hydrated) : plainSources(spec)
}
