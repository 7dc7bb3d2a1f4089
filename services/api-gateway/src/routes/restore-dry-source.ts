import { isDeepStrictEqual } from 'node:util'
import type { HandlerContext } from '@connectrpc/connect'
import { ConflictError, FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { RestoreDrySourceRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { RestoredFile } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import { commitDryFiles } from '../applications/commit-dry-files.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import { resolveDry } from '../applications/resolve-dry.ts'
import { dryRequest } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/** A text without the word has no Secret: YAML spells it otherwise only with an escape or a tag. */
const mayHoldSecret = /Secret|[\\!]/

/**
 * Goes back to an earlier dry commit: the files in the directory of an Application's only dry source become what they were, with a commit to
 * the dry branch or to a new one. It needs the right to update the Application, a dry run too.
 */
export function restoreDrySource(context: GatewayContext) {
  return async (request: RestoreDrySourceRequest, call: HandlerContext) => {
    const { name, drySha, reviewedSha } = request
    for (const [field, sha] of Object.entries({ drySHA: drySha, reviewedSHA: reviewedSha || drySha }))
      if (!isCommitSha(sha))
        throw new InvalidInputError(`${field} ${JSON.stringify(sha)} is not a full commit id`)
    const { resource, application } = await getStoredApplication(context, call, request, 'update')
    await requirePermittedByProject(context, application)
    requireOneSource(application, name)
    const dry = dryRequest(application)
    const { repoUrl, project, source } = dry
    const { sha, branch, verification } = await resolveDry(context, dry, '', call.signal)
    if (branch === '') throw noBranch(name, dry.targetRevision)
    const filesAt = async (at: string) => {
      const asked = {
        repoUrl,
        project,
        sha: at,
        restoredSha: drySha,
        verification,
        directory: source.path ?? '',
      }
      return (await context.repoServer.readRestoredFiles(asked, { signal: call.signal })).files
    }
    const files = await filesAt(sha)
    if (reviewedSha !== '' && reviewedSha !== sha && !isDeepStrictEqual(await filesAt(reviewedSha), files))
      throw outdated(sha, reviewedSha)
    const mayReadSecrets = context.authorization.allows(call, 'secrets', 'get', applicationObject(resource))
    const answer = { files: shownFiles(files, mayReadSecrets), branch, editedSha: sha }
    if (request.dryRun) return { ...answer, drySha: '' }
    if (files.length === 0) return { ...answer, drySha: sha }
    // A commit of Wadi would be unsigned, and so keep the branch from being hydrated; a pull request can be merged with a signature.
    if (verification.policies.length > 0 && request.newBranch === '') throw unsigned(project)
    const { newBranch } = request
    const message =
      request.message || `Go back to ${drySha.slice(0, 7)} in ${source.path || 'the repository'}`
    const written = files.map(({ path, after }) => ({ path, content: after }))
    const commit = { repoUrl, project, branch, newBranch, baseSha: sha, files: written, message }
    const committed = await commitDryFiles(context, commit, call)
    const { pullRequestUrl } = committed
    return { ...answer, drySha: committed.sha, ...(newBranch !== '' && { pullRequestUrl }) }
  }
}

/** Of several sources, the dry commit is that of the first alone. */
function requireOneSource({ hydrated }: Application, name: string): void {
  if (!hydrated) throw new FailedPreconditionError(`application ${name} has no spec.sourceHydrator`)
  const [source, ...more] = drySourcesOf(hydrated)
  if (more.length > 0)
    throw new FailedPreconditionError(`application ${name} has several dry sources; go back in each with git`)
  if (source?.chart !== undefined)
    throw new FailedPreconditionError(
      `chart ${source.chart} of application ${name} is not in git; set its former version in the Application`,
    )
}

function shownFiles(files: readonly RestoredFile[], mayReadSecrets: boolean) {
  return files.map(({ path, before, after }) => {
    const hidden = !mayReadSecrets && (mayHoldSecret.test(before) || mayHoldSecret.test(after))
    return hidden ? { path, before: '', after: '', hidden } : { path, before, after, hidden }
  })
}

function noBranch(name: string, revision: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `application ${name} follows ${JSON.stringify(revision)}, which is not a branch: set its dry revision to the commit instead`,
  )
}

function unsigned(project: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `project ${project} accepts signed commits only, and Wadi signs none on dry branches: name a new branch, and merge its pull request with your signature`,
  )
}

function outdated(sha: string, reviewedSha: string): ConflictError {
  return new ConflictError(
    `the dry branch has moved from ${reviewedSha.slice(0, 7)} to ${sha.slice(0, 7)} since the change was reviewed, and other files would be written: ` +
      'nothing is written; review the change again',
  )
}
