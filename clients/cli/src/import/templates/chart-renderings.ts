import { objectAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { isApplicationKind } from '../../diff/local/application-files.ts'
import { withNamespace } from '../../diff/local/application-children.ts'
import type { DrySide } from '../../diff/local/dry-side.ts'
import { isOfRepository } from '../../diff/local/local-applications.ts'
import { plainSources } from '../../applications/plain-sources.ts'
import { nameOf } from '@wadi/file-trees/repository-path.ts'
import type { FoundObject } from '../found-objects.ts'
import { withFiles } from '../override-files.ts'
import type { FileChange } from '../file-change.ts'
import { renderApplication, type RenderParts } from '../render-application.ts'
import { documentField } from './marked-templates.ts'

/** An object that a chart makes, and the document of a template that it comes from, if that is marked. */
export interface MadeObject {
  readonly manifest: Manifest
  readonly document?: string
}

/**
 * Returns the Applications that render a chart of the checkout, as it is there.
 * @param known all objects of the repository
 */
export function makersOf(chart: string, known: readonly FoundObject[], side: DrySide): Manifest[] {
  return known.map(({ manifest }) => manifest).filter((manifest) => renders(manifest, chart, side))
}

/** Returns an Application that renders a chart of the checkout without options. */
export function plainMaker(chart: string, { repoUrl }: DrySide): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: nameOf(chart) || 'applications', namespace: controlPlaneNamespace },
    spec: {
      project: 'default',
      source: { repoURL: repoUrl, targetRevision: 'HEAD', path: chart || '.' },
      destination: { server: 'https://kubernetes.default.svc', namespace: controlPlaneNamespace },
    },
  }
}

function renders(manifest: Manifest, chart: string, side: DrySide): boolean {
  if (manifest['kind'] !== 'Application') return false
  try {
    const application = parseApplication(checkedResource(manifest))
    const sources = application.hydrated
      ? drySourcesOf(application.hydrated)
      : plainSources(objectAt(manifest, 'spec'))
    return sources.some(
      (source) =>
        isOfRepository(side.repoUrl, source) &&
        side.isCompared(source.targetRevision) &&
        source.path.replace(/^\.?\/+|\/+$/g, '') === chart,
    )
  } catch {
    return false
  }
}

/** Returns what each maker makes of a chart with some files changed. */
export async function madeObjects(
  makers: readonly Manifest[],
  files: readonly FileChange[],
  parts: RenderParts,
): Promise<MadeObject[][]> {
  const side = withFiles(parts.side, files)
  const made = makers.map(async (maker) => {
    const namespace = objectAt(maker, 'spec', 'destination')['namespace']
    const objects = await renderApplication(maker, { ...parts, side })
    return objects.map((object) => {
      const { [documentField]: document, ...manifest } = object
      if (!isApplicationKind(manifest) || typeof document !== 'string') return { manifest: object }
      return {
        manifest: withNamespace(manifest, typeof namespace === 'string' ? namespace : ''),
        document,
      }
    })
  })
  return Promise.all(made)
}

/** Returns the directory of the chart whose template a file is; undefined for a file that is none. */
export async function chartOf(file: string, { tree }: Pick<DrySide, 'tree'>): Promise<string | undefined> {
  for (let at = file.lastIndexOf('templates/'); at >= 0; at = file.lastIndexOf('templates/', at - 1)) {
    const chart = file.slice(0, at).replace(/\/$/, '')
    if (await tree.entry(chart === '' ? 'Chart.yaml' : `${chart}/Chart.yaml`)) return chart
    if (at === 0) break
  }
  return undefined
}
