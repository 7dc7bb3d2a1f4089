import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { holdsSecret, parseRepositoryUrl, type UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import { revisionError } from '@wadi/git/mirror/resolve-revision.ts'
import { parseVersion, parseVersionRange } from '@wadi/git/mirror/version-range.ts'
import { isChartDigest, readChartLocation } from '@wadi/git/remote/chart-location.ts'
import {
  type Application,
  hydratedBranchOf,
  objectName,
  readApplication,
  type SourceHydrator,
} from './application.ts'
import { type DrySource, drySourceFields, isInsideRepository } from './dry-sources.ts'
import { cleanDestinationPath, destinationNameError } from './destination-path.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import type { Resource } from '../resource.ts'
import { readLayoutSetting } from './layout.ts'
import { readSyncTool } from './sync-tool.ts'
import { checkPullRequestAnnotations } from './pull-request-setting.ts'
import { destinationFields, sourceHydratorFields } from './source-fields.ts'
import { unknownFields } from '../unknown-fields.ts'

/** Leaves the choice of transports to the services that reach repositories. */
const everyTransport: UrlPolicy = { allowFile: true, allowPlainHttp: 'always' }

const at = 'spec.sourceHydrator.'

/**
 * Reads an Application that is about to be stored or rendered: every rule that the object alone can break. Fields of
 * `sourceHydrator` and of the destination must be known, URLs, revisions, branches and paths must be possible and harmless.
 * What depends on other objects, the project and the repositories is for the caller to check.
 * @param urls which transports are permitted; by default all that git is ever run with
 * @throws InvalidInputError with a line for every error and its field path; no message repeats a password
 */
export function checkedApplication(resource: Resource, urls: UrlPolicy = everyTransport): Application {
  const reader = new FieldReader(`Application ${objectName(resource.metadata)}`)
  const { sourceHydrator, destination, project } = resource.spec ?? {}
  const unknown = [
    ...unknownFields(sourceHydrator, sourceHydratorFields, 'spec.sourceHydrator'),
    ...unknownFields(destination, destinationFields, 'spec.destination'),
  ]
  for (const reason of unknown) reader.report(reason)
  const application = readApplication(resource, reader)
  if (project === '')
    reader.report('spec.project is empty; name a project, or leave the field out for default')
  readLayoutSetting(application.annotations, reader)
  readSyncTool(application.annotations, reader)
  checkPullRequestAnnotations(application.annotations, reader)
  checkDestination(application, reader)
  if (application.hydrated) checkHydrated(application, application.hydrated, urls, reader)
  else for (const repoUrl of application.sources) checkSecret(repoUrl, 'spec.source.repoURL', reader)
  reader.throwFindings('\n')
  return application
}

function checkDestination({ destination }: Application, reader: FieldReader): void {
  const { server = '', name = '' } = destination
  if (server === '' && name === '') {
    reader.report(
      'spec.destination.server is required: the address of the cluster that the manifests are for, or its name as spec.destination.name',
    )
  }
  checkSecret(server, 'spec.destination.server', reader)
}

function checkHydrated(
  application: Application,
  hydrated: SourceHydrator,
  urls: UrlPolicy,
  reader: FieldReader,
): void {
  const { syncSource, hydrateTo } = hydrated
  if (syncSource.repoURL !== undefined) checkUrl(syncSource.repoURL, `${at}syncSource.repoURL`, urls, reader)
  const target = hydratedBranchOf(application)
  const targetField = `${at}${hydrateTo ? 'hydrateTo' : 'syncSource'}.targetBranch`
  for (const { source, field } of drySourceFields(hydrated)) {
    checkDrySource(source, field, urls, reader)
    if (target && isBranchOf(source, target)) {
      reader.report(
        `${targetField}: branch ${target.branch} is the dry source itself; hydrate to another branch`,
      )
    }
  }
  checkSyncPath(syncSource.path, reader)
}

function isBranchOf(
  { repoURL, targetRevision }: DrySource,
  { repoUrl, branch }: { repoUrl: string; branch: string },
): boolean {
  if (branch === '' || branch !== targetRevision.replace(/^refs\/heads\//, '')) return false
  return repositoryIdentity(repoUrl) === repositoryIdentity(repoURL)
}

function checkDrySource(source: DrySource, field: string, urls: UrlPolicy, reader: FieldReader): void {
  const { chart, repoURL, targetRevision, path } = source
  if (chart === undefined) {
    checkUrl(repoURL, `${field}.repoURL`, urls, reader)
    const reason = targetRevision === '' ? undefined : revisionError(targetRevision)
    if (reason !== undefined) {
      const text = JSON.stringify(targetRevision.slice(0, 260))
      reader.report(
        `${field}.targetRevision: ${text} ${reason}; give a branch, a tag, a commit or a version range`,
      )
    }
  } else checkChart(source, chart, { field, urls }, reader)
  checkDryPath(path, `${field}.path`, reader)
}

function checkChart(
  { repoURL, targetRevision }: DrySource,
  chart: string,
  { field, urls }: { field: string; urls: UrlPolicy },
  reader: FieldReader,
): void {
  if (repoURL !== '') {
    try {
      readChartLocation(repoURL, chart, urls)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      reader.report(`${field}: ${errorMessage(error)}`)
    }
  }
  if (targetRevision === '' || parseVersion(targetRevision) || parseVersionRange(targetRevision)) return
  const text = JSON.stringify(targetRevision.slice(0, 260))
  if (isChartDigest(targetRevision)) {
    if (!/^https?:\/\//i.test(repoURL)) return
    reader.report(`${field}.targetRevision: ${text} is a digest, which only registries have; give a version`)
    return
  }
  reader.report(`${field}.targetRevision: ${text} is neither a version nor a range of versions of the chart`)
}

function checkUrl(url: string, field: string, urls: UrlPolicy, reader: FieldReader): void {
  if (url === '') return
  try {
    parseRepositoryUrl(url, urls)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    reader.report(`${field}: ${errorMessage(error)}`)
  }
}

/** For addresses whose form is not Wadi's to judge. */
function checkSecret(url: string, field: string, reader: FieldReader): void {
  if (holdsSecret(url)) reader.report(`${field} contains a password or a token; give the address without it`)
}

function checkDryPath(path: string, field: string, reader: FieldReader): void {
  // The other errors are noted where the path is read.
  if (!isInsideRepository(path)) return
  const text = JSON.stringify(path.slice(0, 300))
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) {
    reader.report(`${field}: ${text} has a control character; give the path of a directory`)
  } else if (Buffer.byteLength(path) > 4096) {
    reader.report(`${field}: ${text}… is longer than 4096 bytes`)
  } else if (path.split(/[/\\]/).some((name) => name.toLowerCase() === '.git')) {
    reader.report(`${field}: ${text} is inside .git, which no commit holds`)
  }
}

function checkSyncPath(path: string, reader: FieldReader): void {
  // The other errors are noted where the path is read.
  if (path === '' || !isInsideRepository(path)) return
  try {
    const reason = destinationNameError(cleanDestinationPath(path))
    if (reason === undefined) return
    reader.report(
      `${at}syncSource.path: ${JSON.stringify(path.slice(0, 300))} ${reason}; choose another name`,
    )
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    reader.report(`${at}syncSource.path: ${errorMessage(error)}`)
  }
}
