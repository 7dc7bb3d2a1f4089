import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { sourceMessage } from '@wadi/hydration/source-message.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { RenderSource } from '@wadi/rendering/source.ts'
import type { FileTree } from '@wadi/rendering/tree/file-tree.ts'
import { childPath } from '@wadi/rendering/tree/repository-path.ts'
import {
  type Application,
  hydratedBranchOf,
  parseApplication,
} from '@wadi/resources/application/application.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { sourceOptions } from '../../render/render-folder.ts'

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
  readonly warnings: readonly string[]
}

const maxFileBytes = 1024 * 1024
const maxFiles = 20_000

/** Reads an Application; undefined for one that is not hydrated. */
export function readLocalApplication(value: unknown): LocalApplication | undefined {
  const application = parseApplication(checkedResource(value))
  const { hydrated, metadata, project } = application
  const target = hydratedBranchOf(application)
  if (!hydrated || !target) return undefined
  if (hydrated.drySources && hydrated.drySources.length > 1)
    throw new InvalidInputError(severalSources(metadata.name))
  const namespace = metadata.namespace ?? 'argocd'
  const message = sourceMessage({ ...application, metadata: { ...metadata, namespace } }, hydrated)
  const { repoURL, targetRevision, path, helm, kustomize, directory, plugin } = hydrated.drySource
  const options = JSON.parse(JSON.stringify({ helm, kustomize, directory, plugin })) as Record<string, never>
  return {
    key: `${namespace}/${metadata.name}`,
    application: { ...application, metadata: { ...metadata, namespace } },
    repoUrl: target.repoUrl,
    branch: target.branch,
    path: hydrated.syncSource.path,
    targetRevision,
    source: {
      path,
      options: sourceOptions(options, `Application ${metadata.name}`),
      destinationNamespace: application.destination.namespace ?? '',
      applicationName: metadata.name,
      instance: { name: message.instanceName ?? metadata.name, project },
      repoUrl: repoURL,
      targetRevision,
      manifestGeneratePaths: message.manifestGeneratePaths ?? '',
    },
  }
}

function severalSources(name: string): string {
  return `application ${name} has several dry sources, which only a server compares`
}

/**
 * Finds the Applications in the YAML and JSON files of a tree that take their dry source from a repository. Files that are no
 * manifests, such as templates of charts, are passed over.
 */
export async function findApplications(tree: FileTree, repoUrl: string): Promise<FoundApplications> {
  const repository = normalizeRepositoryUrl(repoUrl)
  const applications = new Map<string, LocalApplication>()
  const warnings: string[] = []
  let files = 0
  for await (const path of manifestFiles(tree, '')) {
    if (++files > maxFiles) {
      warnings.push(`only the first ${maxFiles} YAML and JSON files were searched for Applications`)
      break
    }
    const text = (await tree.read(path, maxFileBytes).catch(() => Buffer.alloc(0))).toString()
    if (!/["']?kind["']?\s*:\s*["']?Application["']?\s*[,}]?\s*$/m.test(text)) continue
    for (const manifest of readManifests(text, path)) {
      if (manifest['kind'] !== 'Application') continue
      try {
        const found = readLocalApplication(withNamespace(manifest))
        if (found && normalizeRepositoryUrl(found.source.repoUrl) === repository)
          applications.set(found.key, found)
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error
        warnings.push(`${path}: ${errorMessage(error)}`)
      }
    }
  }
  return { applications, warnings }
}

function withNamespace(manifest: Manifest): Manifest {
  const { metadata } = manifest
  return isJsonObject(metadata) ? { ...manifest, metadata: { namespace: 'argocd', ...metadata } } : manifest
}

function readManifests(text: string, file: string): Manifest[] {
  try {
    return parseManifests(text, { file })
  } catch {
    return []
  }
}

async function* manifestFiles(tree: FileTree, directory: string): AsyncGenerator<string> {
  for (const { name, kind } of await tree.list(directory)) {
    const path = childPath(directory, name)
    if (kind === 'directory') yield* manifestFiles(tree, path)
    else if (kind !== 'symlink' && kind !== 'submodule' && /\.(?:ya?ml|json)$/.test(name)) yield path
  }
}
