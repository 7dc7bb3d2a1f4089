import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { manifestGeneratePathsAnnotation } from '@wadi/hydration/source-message.ts'
import type { RenderSource } from '@wadi/rendering/source.ts'
import {
  type Application,
  hydratedBranchOf,
  instanceName,
  parseApplication,
} from '@wadi/resources/application/application.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'

/** An Application whose dry source is rendered on this machine. */
export interface LocalApplication {
  /** `namespace/name`. */
  readonly key: string
  readonly application: Application
  readonly repoUrl: string
  readonly branch: string
  readonly path: string
  readonly targetRevision: string
  readonly source: RenderSource
}

/** Applications, and what is wrong with objects that would be some. */
export interface FoundApplications {
  readonly applications: ReadonlyMap<string, LocalApplication>
  /** What makes an Application that is in no file: `ApplicationSet argocd/shop`, by the key of the Application. */
  readonly makers: ReadonlyMap<string, string>
  /** Why what a maker makes is not all known, by its name; undefined for one that git does not decide, which is in the warnings. */
  readonly incomplete: ReadonlyMap<string, string | undefined>
  readonly warnings: readonly string[]
}

/** Reads an Application; undefined for one that is not hydrated. */
export async function readLocalApplication(value: unknown): Promise<LocalApplication | undefined> {
  const application = parseApplication(checkedResource(value))
  const { hydrated, metadata } = application
  const target = hydratedBranchOf(application)
  if (!hydrated || !target) return undefined
  if (hydrated.drySources && hydrated.drySources.length > 1)
    throw new InvalidInputError(severalSources(metadata.name))
  const namespace = metadata.namespace ?? controlPlaneNamespace
  const named = { ...application, metadata: { ...metadata, namespace } }
  return {
    key: `${namespace}/${metadata.name}`,
    application: named,
    repoUrl: target.repoUrl,
    branch: target.branch,
    path: hydrated.syncSource.path,
    targetRevision: hydrated.drySource.targetRevision,
    source: await renderSourceOf(named, hydrated.drySource),
  }
}

/** Those of Applications that take their dry source from a repository. */
export async function localApplications(
  objects: readonly unknown[],
  repoUrl: string,
): Promise<FoundApplications> {
  const repository = normalizeRepositoryUrl(repoUrl)
  const applications = new Map<string, LocalApplication>()
  const warnings: string[] = []
  for (const object of objects) {
    try {
      const found = await readLocalApplication(object)
      if (!found || normalizeRepositoryUrl(found.source.repoUrl) !== repository) continue
      applications.set(found.key, found)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      warnings.push(errorMessage(error))
    }
  }
  return { applications, makers: new Map(), incomplete: new Map(), warnings }
}

/** One source of an Application, with its options. */
export async function renderSourceOf(
  { metadata, project, destination, annotations }: Application,
  { repoURL, targetRevision, path, helm, kustomize, directory, plugin }: DrySource,
): Promise<RenderSource> {
  return {
    path,
    options: await optionsOf({ helm, kustomize, directory, plugin }, metadata.name),
    destinationNamespace: destination.namespace ?? '',
    applicationName: metadata.name,
    instance: { name: instanceName(metadata), project },
    repoUrl: repoURL,
    targetRevision,
    manifestGeneratePaths: annotations[manifestGeneratePathsAnnotation] ?? '',
  }
}

/** Reads the options of a source. What reads them is loaded where there are some. */
async function optionsOf(
  fields: Readonly<Record<string, unknown>>,
  name: string,
): Promise<RenderSource['options']> {
  if (Object.values(fields).every((value) => value === undefined)) return {}
  const { sourceOptions } = await import('../../render/render-folder.ts')
  const options = JSON.parse(JSON.stringify(fields)) as Record<string, never>
  return sourceOptions(options, `Application ${name}`)
}

function severalSources(name: string): string {
  return `application ${name} has several dry sources, which only a server compares`
}
