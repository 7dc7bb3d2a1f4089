import { type PlacedApplication, placedApplication } from '@wadi/changes/applications/placed-application.ts'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { manifestGeneratePathsAnnotation } from '@wadi/hydration/source-message.ts'
import { isForFlux } from '@wadi/resources/application/sync-tool.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import { type Application, instanceName } from '@wadi/resources/application/application.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import type { FileFindings } from './broken-files.ts'

/** Applications, and what is wrong with objects that would be some. */
export interface FoundApplications {
  readonly applications: ReadonlyMap<string, PlacedApplication>
  /** The makers of Applications that are in no file: `ApplicationSet argocd/shop`, by the key of the Application. */
  readonly makers: ReadonlyMap<string, string>
  /** The reasons why the products of makers are not all known, by maker; undefined if git does not decide it, which is a warning. */
  readonly incomplete: ReadonlyMap<string, string | undefined>
  readonly warnings: readonly string[]
  /** Of Applications of files. */
  readonly files?: FileFindings
}

/** Those of Applications that take a dry source from a repository. */
export function localApplications(objects: readonly unknown[], repoUrl: string): FoundApplications {
  const applications = new Map<string, PlacedApplication>()
  const warnings: string[] = []
  for (const object of objects) {
    try {
      const found = placedApplication(object)
      if (!found || revisionsIn(repoUrl, found).length === 0) continue
      applications.set(found.key, found)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      warnings.push(errorMessage(error))
    }
  }
  return { applications, makers: new Map(), incomplete: new Map(), warnings }
}

/** The revisions of a repository that an Application follows. */
export function revisionsIn(repoUrl: string, { sources }: Pick<PlacedApplication, 'sources'>): string[] {
  return sources.flatMap((source) => (isOfRepository(repoUrl, source) ? [source.targetRevision] : []))
}

/** Returns true if a source is of a git repository. */
export function isOfRepository(
  repoUrl: string,
  { repoURL, chart }: Pick<DrySource, 'repoURL' | 'chart'>,
): boolean {
  if (chart !== undefined) return false
  return repoURL === repoUrl || repositoryIdentity(repoURL) === repositoryIdentity(repoUrl)
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
    applicationName: instanceName(metadata),
    instance: { name: instanceName(metadata), project },
    repoUrl: repoURL,
    targetRevision,
    manifestGeneratePaths: annotations[manifestGeneratePathsAnnotation] ?? '',
    forFlux: isForFlux(annotations),
  }
}

/** Reads the options of a source. What reads them is loaded where there are some. */
async function optionsOf(
  fields: Readonly<Record<string, unknown>>,
  name: string,
): Promise<RenderSource['options']> {
  if (Object.values(fields).every((value) => value === undefined)) return {}
  const { sourceOptions } = await import('../../render/render-directory.ts')
  const options = JSON.parse(JSON.stringify(fields)) as Record<string, never>
  return sourceOptions(options, `Application ${name}`)
}
