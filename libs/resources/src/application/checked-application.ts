import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  holdsSecret,
  normalizeRepositoryUrl,
  parseRepositoryUrl,
  type UrlPolicy,
} from '@wadi/git/remote/repository-url.ts'
import { revisionError } from '@wadi/git/mirror/revision.ts'
import {
  type Application,
  hydratedBranchOf,
  isInsideRepository,
  objectName,
  readApplication,
  type SourceHydrator,
} from './application.ts'
import { cleanDestinationPath, destinationNameError } from './destination-path.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import type { Resource } from '../resource.ts'
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
  { drySource, syncSource, hydrateTo }: SourceHydrator,
  urls: UrlPolicy,
  reader: FieldReader,
): void {
  checkUrl(drySource.repoURL, `${at}drySource.repoURL`, urls, reader)
  if (syncSource.repoURL !== undefined) checkUrl(syncSource.repoURL, `${at}syncSource.repoURL`, urls, reader)
  const { targetRevision } = drySource
  const reason = targetRevision === '' ? undefined : revisionError(targetRevision)
  if (reason !== undefined) {
    const text = JSON.stringify(targetRevision.slice(0, 260))
    reader.report(
      `${at}drySource.targetRevision: ${text} ${reason}; give a branch, a tag, a commit or a version range`,
    )
  }
  checkDryPath(drySource.path, reader)
  checkSyncPath(syncSource.path, reader)
  const target = hydratedBranchOf(application)
  const isSameRepository =
    target && normalizeRepositoryUrl(target.repoUrl) === normalizeRepositoryUrl(drySource.repoURL)
  if (
    isSameRepository &&
    target.branch !== '' &&
    target.branch === targetRevision.replace(/^refs\/heads\//, '')
  ) {
    const field = hydrateTo ? 'hydrateTo' : 'syncSource'
    reader.report(
      `${at}${field}.targetBranch: branch ${target.branch} is the dry source itself; hydrate to another branch`,
    )
  }
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

function checkDryPath(path: string, reader: FieldReader): void {
  // The other errors are noted where the path is read.
  if (!isInsideRepository(path)) return
  const text = JSON.stringify(path.slice(0, 300))
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) {
    reader.report(`${at}drySource.path: ${text} has a control character; give the path of a directory`)
  } else if (Buffer.byteLength(path) > 4096) {
    reader.report(`${at}drySource.path: ${text}… is longer than 4096 bytes`)
  } else if (path.split(/[/\\]/).some((name) => name.toLowerCase() === '.git')) {
    reader.report(`${at}drySource.path: ${text} is inside .git, which no commit holds`)
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
