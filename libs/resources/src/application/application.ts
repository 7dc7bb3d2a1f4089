import { branchNameError } from '@wadi/git/mirror/revision.ts'
import { controlPlaneNamespace } from '../control-plane-namespace.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { withoutUndefined } from '@wadi/fields/without-undefined.ts'
import type { Resource, ResourceMetadata } from '../resource.ts'
import { checkPath, type DrySources, drySourcesOf, readDrySources } from './dry-sources.ts'

/** The cluster and namespace that an Application's manifests are made for; a cluster has an address or a name. */
export interface ApplicationDestination {
  server?: string
  name?: string
  namespace?: string
}

/** From where to where an Application is hydrated (`spec.sourceHydrator`). */
export interface SourceHydrator extends DrySources {
  syncSource: {
    /** Defaults to the repository of the first dry source. */
    repoURL?: string
    targetBranch: string
    /** The directory on the branch; its root only while the Application is the branch's only one, which a run checks. */
    path: string
  }
  /** The branch that is written instead of `syncSource.targetBranch`. */
  hydrateTo?: { targetBranch: string }
}

/** An Application of Argo CD as Wadi sees it. */
export interface Application {
  metadata: ResourceMetadata
  annotations: Record<string, string>
  /** `default` when the object names none. */
  project: string
  destination: ApplicationDestination
  /** Undefined for an Application that is not hydrated. */
  hydrated?: SourceHydrator
  /** The repositories that the Application is read from: of its dry sources, else of `source` and `sources`. */
  sources: readonly string[]
  /** True if the object has `spec.source`. */
  hasSource: boolean
  /** True if the object has `spec.sources`. */
  hasSources: boolean
  syncPolicy?: Record<string, unknown>
}

/**
 * Reads a stored Application; the result shares its parts with the object. Unknown fields are ignored, and what is stored
 * may be older than a rule: code that writes or renders one calls `checkedApplication`.
 * @throws InvalidInputError that lists every error with its field path.
 */
export function parseApplication(resource: Resource): Application {
  const reader = new FieldReader(`Application ${objectName(resource.metadata)}`)
  const application = readApplication(resource, reader)
  reader.throwFindings()
  return application
}

/** Reads an Application as `parseApplication` does, and notes the errors. */
export function readApplication(resource: Resource, reader: FieldReader): Application {
  const spec = reader.object({ spec: resource.spec }, 'spec', '') ?? {}
  const destination = reader.object(spec, 'destination', 'spec.') ?? {}
  const application: Application = {
    metadata: resource.metadata,
    annotations: resource.metadata.annotations ?? {},
    project: reader.string(spec, 'project', 'spec.') || 'default',
    destination: withoutUndefined({
      server: reader.string(destination, 'server', 'spec.destination.'),
      name: reader.string(destination, 'name', 'spec.destination.'),
      namespace: reader.string(destination, 'namespace', 'spec.destination.'),
    }),
    sources: [spec['source'], ...(Array.isArray(spec['sources']) ? spec['sources'] : [])].flatMap(
      repositoryOf,
    ),
    hasSource: hasContent(spec['source']),
    hasSources: hasContent(spec['sources']),
    ...withoutUndefined({ syncPolicy: reader.object(spec, 'syncPolicy', 'spec.') }),
  }
  if (application.destination.server && application.destination.name) {
    reader.report('spec.destination.server and spec.destination.name cannot both be set')
  }
  if (isPresent(spec['sourceHydrator'])) {
    for (const field of ['source', 'sources']) {
      if (hasContent(spec[field])) reader.report(`spec.${field} and spec.sourceHydrator cannot both be set`)
    }
    application.hydrated = readSourceHydrator(reader.object(spec, 'sourceHydrator', 'spec.') ?? {}, reader)
    application.sources = [...new Set(drySourcesOf(application.hydrated).map(({ repoURL }) => repoURL))]
  }
  return application
}

/** Returns where the hydrated manifests of an Application go, undefined when it is not hydrated. */
export function hydratedBranchOf(app: Application): { repoUrl: string; branch: string } | undefined {
  if (app.hydrated === undefined) return undefined
  const { drySource, syncSource, hydrateTo } = app.hydrated
  return {
    repoUrl: syncSource.repoURL ?? drySource.repoURL,
    branch: (hydrateTo ?? syncSource).targetBranch,
  }
}

/** Returns `namespace/name`, or the name alone without a namespace. */
export function objectName({ namespace, name }: ResourceMetadata): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** Returns the `objectName` of an Application. */
export function applicationName(app: Application): string {
  return objectName(app.metadata)
}

/** Returns the name by which Argo CD distinguishes Applications: `namespace_name`, or the name alone in Argo CD's own namespace. */
export function instanceName({ name, namespace }: { name: string; namespace?: string }): string {
  return !namespace || namespace === controlPlaneNamespace ? name : `${namespace}_${name}`
}

/** Reads `spec.sourceHydrator`, and notes the errors. */
export function readSourceHydrator(fields: Record<string, unknown>, reader: FieldReader): SourceHydrator {
  const at = 'spec.sourceHydrator.'
  const syncSource = reader.object(fields, 'syncSource', at) ?? {}
  const hydrateTo = reader.object(fields, 'hydrateTo', at)
  const syncAt = `${at}syncSource.`
  const targetBranch = reader.requiredString(syncSource, 'targetBranch', syncAt)
  checkBranch(targetBranch, `${syncAt}targetBranch`, reader)
  const path = reader.requiredString(syncSource, 'path', syncAt)
  checkPath(path, `${syncAt}path`, reader)
  const hydrator: SourceHydrator = {
    ...readDrySources(fields, reader),
    syncSource: { targetBranch, path },
  }
  const repoURL = reader.string(syncSource, 'repoURL', syncAt)
  if (repoURL) hydrator.syncSource.repoURL = repoURL
  else if (hydrator.drySource.chart !== undefined) {
    reader.report(
      `${syncAt}repoURL is required: the git repository of the hydrated branch, as a chart is in none`,
    )
  }
  if (hydrateTo !== undefined) {
    const branch = reader.string(hydrateTo, 'targetBranch', `${at}hydrateTo.`) ?? ''
    if (branch === '') {
      reader.report(`when ${at}hydrateTo is set, ${at}hydrateTo.targetBranch is required`)
    }
    checkBranch(branch, `${at}hydrateTo.targetBranch`, reader)
    hydrator.hydrateTo = { targetBranch: branch }
  }
  return hydrator
}

function checkBranch(branch: string, field: string, reader: FieldReader): void {
  const reason = branch === '' ? undefined : branchNameError(branch)
  if (reason !== undefined)
    reader.report(`${field}: ${JSON.stringify(branch.slice(0, 260))} is not a branch name: it ${reason}`)
}

function repositoryOf(source: unknown): string[] {
  const repoURL = isJsonObject(source) ? source['repoURL'] : undefined
  return typeof repoURL === 'string' ? [repoURL] : []
}

/** True if a field has content: templates written by hand leave an empty `source` or `sources` behind. */
function hasContent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined && value !== null
  return Object.keys(value).length > 0
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
