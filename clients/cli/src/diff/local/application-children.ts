import { isJsonObject } from '@wadi/fields/json-object.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type Application, parseApplication } from '@wadi/resources/application/application.ts'
import { type DrySource, drySourcesOf, isRendered } from '@wadi/resources/application/dry-sources.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { type ApplicationFiles, isApplicationKind } from './application-files.ts'
import type { DrySide } from './dry-side.ts'
import { renderSourceOf } from './local-applications.ts'
import type { LocalRenderer } from './local-renderer.ts'

/** What an Application makes of others, as one whose manifests hold Applications does. */
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
  { renderer, files: { mentions, mentionedPlaces } }: { renderer: LocalRenderer; files: ApplicationFiles },
): Promise<RenderedChildren> {
  const resource = checkedResource(manifest)
  const application = parseApplication(resource)
  const repository = normalizeRepositoryUrl(side.repoUrl)
  const children: Manifest[] = []
  const files: string[] = []
  for (const source of sourcesOf(application, resource.spec ?? {})) {
    if (normalizeRepositoryUrl(source.repoURL) !== repository || !side.isCompared(source.targetRevision))
      continue
    const local = {
      tree: side.tree,
      revision: side.sha,
      source: await renderSourceOf(application, source),
    }
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

/** The sources in git that an Application has manifests from. */
function sourcesOf(application: Application, spec: Record<string, unknown>): DrySource[] {
  const { source, sources } = spec
  const listed = application.hydrated
    ? drySourcesOf(application.hydrated)
    : [source, ...(Array.isArray(sources) ? (sources as unknown[]) : [])].flatMap(plainSource)
  return listed.filter((one) => one.chart === undefined && isRendered(one))
}

/** A source of an Application that is not hydrated. */
function plainSource(value: unknown): DrySource[] {
  if (!isJsonObject(value)) return []
  const text = (field: string): string => {
    const found = value[field]
    return typeof found === 'string' ? found : ''
  }
  const object = (field: string) => {
    const found = value[field]
    return isJsonObject(found) ? { [field]: found } : {}
  }
  const [chart, ref] = [text('chart'), text('ref')]
  return [
    {
      repoURL: text('repoURL'),
      targetRevision: text('targetRevision') || 'HEAD',
      path: text('path'),
      ...(chart !== '' && { chart }),
      ...(ref !== '' && { ref }),
      ...object('helm'),
      ...object('kustomize'),
      ...object('directory'),
      ...object('plugin'),
    },
  ]
}
